import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mark } from './marks';
import { functionsOf } from './places';

const folder = '/build/linux/drivers/infiniband/sw/rxe';
const texts = [
  'static int rxe_one(struct rxe *rxe)\n{\n\tprintk("x");\n\treturn rxe_two(rxe);\n}\n',
  'static inline bool queue_empty(struct q *q,\n\t\tenum t type)\n{\n}\nvoid rxe_two(struct rxe *rxe)\n{\n}\n',
];
const sources = { folder, texts };

/** What addr2line says of each address: frames, the innermost first. */
function output(...answers: readonly (readonly string[])[]): string {
  return answers.map((frames, index) => `0x${index.toString(16).padStart(16, '0')}\n${frames.join('\n')}\n`).join('');
}

function marks(count: number): Mark[] {
  return Array.from({ length: count }, (_, index) => ({ at: 10 * (index + 1), call: index }));
}

describe('where blocks are in the source', () => {
  it('is the function that is inlined, in the file that defines it', () => {
    const inlined = ['queue_empty', `${folder}/rxe_queue.h:31`, 'rxe_one', `${folder}/rxe_req.c:12`];
    const answers = output(['rxe_one', `${folder}/rxe_req.c:10 (discriminator 3)`], inlined, inlined);
    assert.deepEqual(functionsOf(marks(3), answers, sources), [
      { file: 'rxe_queue.h', name: 'queue_empty', edges: [{ at: 20, line: 31 }, { at: 30, line: 31 }] }, // prettier-ignore
      { file: 'rxe_req.c', name: 'rxe_one', edges: [{ at: 10, line: 10 }] },
    ]);
  });

  it('is the caller of what the kernel has inlined', () => {
    const header = ['refcount_dec', '/usr/src/linux-headers/include/linux/refcount.h:5', 'rxe_two', `${folder}/a.c:7`];
    const atLineOfCaller = ['printk', `${folder}/a.c:8`, 'rxe_two', `${folder}/a.c:8`];
    assert.deepEqual(functionsOf(marks(2), output(header, atLineOfCaller), sources), [
      { file: 'a.c', name: 'rxe_two', edges: [{ at: 10, line: 7 }, { at: 20, line: 8 }] }, // prettier-ignore
    ]);
  });

  it('is a function of a header where the compiler has not inlined it', () => {
    const answers = output(['rdma_gid2ip', '/usr/src/linux-headers/include/rdma/ib_addr.h:135']);
    assert.equal(functionsOf(marks(1), answers, sources)[0]?.file, 'include/rdma/ib_addr.h');
  });

  it('is demanded of each block', () => {
    assert.throws(() => functionsOf(marks(2), output(['rxe_one', `${folder}/a.c:1`]), sources), /says nothing/);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { block, milkPage, section } from './fixtures/pages';
import { draftVerbs } from './verb-draft';

function drafted(results: string, ...declarations: string[]): string {
  return draftVerbs(
    milkPage(section('SYNOPSIS', block('code', ...declarations)), section('RETURN VALUE', block('text', results))),
  );
}

test('a function that makes an object, and one that ends it, are drafted with their arguments', () => {
  const makes = 'struct ibv_pd *ibv_alloc_pd(struct ibv_context *context, const uint64_t hca_va);';
  assert.equal(
    drafted('0, or the value of errno', '#include <verbs.h>', makes, 'int ibv_dealloc_pd(struct ibv_pd *pd);'),
    `  /** ibv_milk_cow(3). */
  allocPd: verb({
    c: 'ibv_alloc_pd',
    page: 'ibv_milk_cow(3)',
    fails: 'null',
    makes: 'pd',
    in: [{ context: object('context') }, { hcaVa: u64 }],
  }),
  /** ibv_milk_cow(3). */
  deallocPd: verb({
    c: 'ibv_dealloc_pd',
    page: 'ibv_milk_cow(3)',
    fails: 'errno',
    ends: 'pd',
    in: [{ pd: object('pd') }],
  }),
`,
  );
});

test('how a function fails follows from its type and from what the page says', () => {
  const failures: readonly (readonly [string, string, string])[] = [
    ['', 'void ibv_a(void);', 'never'],
    ['', 'const char *ibv_a(enum ibv_b b);', 'never'],
    ['', 'struct ibv_unknown *ibv_a(void);', 'null'],
    ['It returns -1.', 'int ibv_a(void);', 'minus-one'],
    ['It returns a negative value.', 'int ibv_a(void);', 'negative'],
    ['', 'int ibv_a(void);', 'errno'],
  ];
  for (const [results, declaration, fails] of failures) {
    assert.match(drafted(results, declaration), new RegExp(`fails: '${fails}',`), declaration);
  }
});

test('a type that is not known is left open', () => {
  assert.match(
    drafted('', 'int ibv_a(struct ibv_attr *attr);'),
    /in: \[\{ attr: \/\* TODO: struct ibv_attr \* \*\/ \}\],/,
  );
  assert.equal(drafted('', 'Cows are not declared.'), '');
});

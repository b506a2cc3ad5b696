import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generate } from '../../../../drivers/explore/generate/generate';
import { callsOf, type Program } from '../../../../drivers/programs/program';
import { simulatedDut } from '../../../../drivers/sim/device/dut';
import type { StoredFinding } from '../stored-finding';
import { hex } from './numbers';
import { syzText } from './syz-text';

const finding = (program: Program): StoredFinding => ({
  suite: '1',
  driver: 'sim',
  device: { hcaId: 'x', provider: 'x', kernel: 'none', rdmaCore: 'none' },
  seed: 1,
  oracle: 'inclusion',
  clause: 'x',
  difference: { at: 0, verb: 'x', what: 'x\n# x', expected: 0, observed: 1 },
  program,
  records: [],
});

/** A line of docs/program_syntax.md of syzkaller, as far as it is used here; a comment, or nothing. */
const argument = String.raw`(?:0x[0-9a-f]+|r\d+|<r\d+=>0x[0-9a-f]+|AUTO|"[0-9a-f]*"|\[\])`;
const inner = String.raw`\{${argument}(?:, ${argument})*\}`;
const field = String.raw`(?:${argument}|&AUTO(?:=${inner})?|&\(0x7f[0-9a-f]+\)(?:=0x0)?)`;
const writeLine = new RegExp(String.raw`^write\$[A-Z0-9_]+\(r\d+, &AUTO=\{${field}(?:, ${field})*\}, AUTO\)$`);
const openLine = /^r\d+ = openat\$uverbs0\(0xffffffffffffff9c, &AUTO='\/dev\/infiniband\/uverbs0\\x00', 0x2, 0x0\)$/;

/** Fields of each struct, as dev_infiniband_rdma.txt lists them. */
const fields: Readonly<Record<string, number>> = {
  MLX5_GET_CONTEXT: 12,
  ALLOC_PD: 5,
  DEALLOC_PD: 4,
  CREATE_COMP_CHANNEL: 4,
  REG_MR: 10,
  REREG_MR: 4,
  ALLOC_MW: 8,
  DEALLOC_MW: 5,
  CREATE_AH: 20,
  CREATE_CQ: 10,
  RESIZE_CQ: 7,
  REQ_NOTIFY_CQ: 5,
  DESTROY_CQ: 6,
  CREATE_SRQ: 10,
  MODIFY_SRQ: 8,
  DESTROY_SRQ: 6,
  CREATE_QP: 19,
  MODIFY_QP: 51,
  DESTROY_QP: 6,
};

describe('a program of syzkaller', () => {
  it('is in its syntax, has every field, and uses nothing that it has not made', async () => {
    const seen = new Set<string>();
    for (let index = 0; index < 16; index++) {
      const program = await generate({ seed: 77, capabilities: simulatedDut.capabilities }, index);
      const made = new Set<string>();
      for (const line of syzText(finding(program)).split('\n')) {
        if (line === '' || line.startsWith('#')) continue;
        assert.ok(openLine.test(line) || writeLine.test(line), line);
        for (const [, given, opened = ''] of line.matchAll(/<(r\d+)=>|^(r\d+) = /g)) made.add(given ?? opened);
        for (const [variable] of line.matchAll(/\br\d+\b/g)) assert.ok(made.has(variable), line);
        const [, name = ''] = /^write\$(\w+)/.exec(line) ?? [];
        if (name === '') continue;
        seen.add(name);
        const body = line.slice(line.indexOf('{') + 1, -'}, AUTO)'.length).replace(/\{[^}]*\}/g, '');
        assert.equal(body.split(', ').length, fields[name], line);
      }
    }
    assert.ok(seen.size >= 12, [...seen].join(' '));
  });

  it('has each call of the program, as a command or as a comment', async () => {
    const program = await generate({ seed: 78, capabilities: simulatedDut.capabilities }, 1);
    const { length } = callsOf(program);
    const lines = syzText(finding(program)).split('\n');
    assert.equal(lines.filter((line) => /^write\$|^# (\w+ = )?[a-z_ ]+\(\./.test(line)).length, length);
  });

  it('lets nothing of a finding become a line of its own', () => {
    const text = syzText(finding({ version: 1, seed: 'x', ops: [{ settle: true }] }));
    assert.ok(
      text.split('\n').every((line) => line === '' || line.startsWith('#')),
      text,
    );
  });

  it('has numbers in as many bits as their fields have', () => {
    assert.equal(hex(-1), '0xffffffff');
    assert.equal(hex(257, 1), '0x1');
    assert.equal(hex('0xffffffffffffffff', 8), '0xffffffffffffffff');
    assert.equal(hex(['IBV_QP_STATE', 'IBV_QP_DEST_QPN']), '0x100001');
    assert.equal(hex(['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_MW_BIND']), '0x11');
    assert.equal(hex({ of: 'x', member: 'y' }), '0x0');
    assert.equal(hex(undefined), '0x0');
  });
});

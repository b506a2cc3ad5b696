import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { descriptions } from '..';
import type { Data } from '../../contract/data';
import { wc } from '../cq';
import { deviceAttr, portAttr } from '../device';
import {
  allWithin,
  bytes,
  flags,
  gid,
  hex32,
  i32,
  list,
  nullable,
  object,
  placeIn,
  text,
  u32,
  u64,
  type Type,
} from '../idl';
import { cName, cText, membersOf, type Scope } from './c-text';

const scope: Scope = {
  nameOf: (handle) => (handle === 'cq#3' ? 'recv_cq' : handle),
  qpTypeOf: (qpNum) => ({ 0x11: 'IBV_QPT_RC', 0x12: 'IBV_QPT_UD' })[qpNum],
};

const header = '/usr/include/infiniband/verbs.h';

/** All members that a driver could fill in, whether they are valid or not. */
const full: Record<string, Data> = {
  dlidPathBits: 1,
  sl: 2,
  slid: 3,
  pkeyIndex: 4,
  wcFlags: [],
  srcQp: 0x21,
  qpNum: 0x11,
  invalidatedRkey: 0x300,
  immData: 0xabcd,
  byteLen: 16,
  vendorErr: 0x81,
  opcode: 'IBV_WC_RECV',
  status: 'IBV_WC_SUCCESS',
  wrId: '0x16',
};

const completion = (members: Record<string, Data>): string => cText(wc, { ...full, ...members }, scope);

describe('a value in C', () => {
  const values: readonly (readonly [title: string, type: Type, value: Data, text: string])[] = [
    ['a length is decimal', u32, 4096, '4096'],
    ['a key is hexadecimal', hex32, 4096, '0x1000'],
    ['64 bits are as they were recorded', u64, '0x1f', '0x1f'],
    ['an object has the name of the scenario', object('cq'), 'cq#3', 'recv_cq'],
    ['another has its handle', object('cq'), 'cq#4', 'cq#4'],
    ['what is absent is NULL', nullable(object('cq')), null, 'NULL'],
    ['flags are joined', flags('f', ['A', 'B']), ['A', 'B'], 'A | B'],
    ['no flag is 0', flags('f', ['A']), [], '0'],
    ['a string is in quotes', text, 'a "b"', '"a \\"b\\""'],
    ['a GID is not', gid, 'fe80::1', 'fe80::1'],
    ['a list is in braces', list(i32), [1, 2], '{ 1, 2 }'],
    ['a place in a list is a pointer', placeIn('wrs'), 0, '&wr[0]'],
    ['much memory is cut', bytes, 'ab'.repeat(65), `${'ab'.repeat(64)}… (65 bytes)`],
    ['what is of another type is shown as it is', hex32, { a: [true] }, '{a: [true]}'],
  ];
  for (const [title, type, value, expected] of values) {
    it(title, () => {
      assert.equal(cText(type, value, scope), expected);
    });
  }
});

describe('a completion in C', () => {
  it('has the members that ibv_poll_cq(3) makes valid, in the order of the header', () => {
    assert.equal(
      completion({}),
      '{ .wr_id = 0x16, .status = IBV_WC_SUCCESS, .opcode = IBV_WC_RECV, .byte_len = 16, .qp_num = 0x11 }',
    );
  });

  it('has few of them after an error', () => {
    assert.equal(
      completion({ status: 'IBV_WC_WR_FLUSH_ERR' }),
      '{ .wr_id = 0x16, .status = IBV_WC_WR_FLUSH_ERR, .vendor_err = 0x81, .qp_num = 0x11 }',
    );
  });

  it('has an immediate, or an R_Key, where the flag is set', () => {
    assert.match(completion({ wcFlags: ['IBV_WC_WITH_IMM'] }), /\.byte_len = 16, \.imm_data = 0xabcd, \.qp_num/);
    assert.match(completion({ wcFlags: ['IBV_WC_WITH_INV'] }), /\.byte_len = 16, \.invalidated_rkey = 0x300, \.qp_num/);
  });

  const ofUd = /\.src_qp = 0x21, \.pkey_index = 4, \.slid = 3, \.sl = 2, \.dlid_path_bits = 1 \}$/;

  it('says where the message came from, of a UD QP and of one that nobody knows', () => {
    assert.match(completion({ qpNum: 0x12 }), ofUd);
    assert.match(completion({ qpNum: 0x13 }), ofUd);
    assert.doesNotMatch(completion({ qpNum: 0x11 }), /src_qp/);
  });

  it('is without members that are 0, except for its wr_id', () => {
    assert.equal(
      completion({ wrId: '0x0', byteLen: 0, opcode: 'IBV_WC_SEND', qpNum: 0 }).replace(/, \.src_qp.*$/, ' }'),
      '{ .wr_id = 0x0, .status = IBV_WC_SUCCESS, .opcode = IBV_WC_SEND }',
    );
  });
});

describe('the structs of the descriptions', { skip: existsSync(header) ? false : `there is no ${header}` }, () => {
  const verbsH = existsSync(header) ? readFileSync(header, 'utf8').replace(/\/\*[^]*?\*\//g, '') : '';
  const types = descriptions.flatMap(({ in: taken, out = {} }) =>
    [...taken, out].flatMap((part) => Object.values(part)),
  );
  const structs = new Map(
    [...types, deviceAttr, portAttr]
      .flatMap(allWithin)
      .flatMap((type) => (type.is === 'struct' ? [[type.c, type]] : [])),
  );
  for (const [c, type] of structs) {
    const body = new RegExp(`^struct ${c} \\{\\n([^]*?)^\\};`, 'm').exec(verbsH)?.[1];
    if (body === undefined) continue; // a struct within another
    it(`have the members of struct ${c} in its order`, () => {
      const places = membersOf(type).map(
        ([name]) => [name, body.search(new RegExp(`\\b${cName(name)}[;:[]`))] as const,
      );
      assert.deepEqual(
        places.filter(([, place]) => place < 0),
        [],
        'members that the header does not have',
      );
      assert.deepEqual(
        places,
        places.toSorted(([, one], [, other]) => one - other),
      );
    });
  }

  it('are found in the header', () => {
    assert.ok(structs.size > 8);
    assert.match(verbsH, /^struct ibv_wc \{$/m);
  });
});

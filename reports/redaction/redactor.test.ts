import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bytesOfIpv6, hexOfBytes, tellsNothing, type Bytes } from './addresses';
import { Redactor } from './redactor';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

const port = {
  portNum: 1,
  state: 'IBV_PORT_ACTIVE',
  linkLayer: 'IBV_LINK_LAYER_ETHERNET',
  maxMtu: 4096,
  activeMtu: 1024,
  lid: 0,
  gidIndex: 1,
  gid: '0000:0000:0000:0000:0000:ffff:c0a8:4d0b',
  netdev: 'eth0',
};
const nodeGuid = '6432:16ff:fea5:06f5';
const gidBytes = '00000000000000000000ffffc0a84d0b'.match(/../g) ?? [];

function redactorOf(...hosts: string[]): Redactor {
  const redactor = new Redactor(hosts);
  redactor.learn({ nodeGuid, port });
  return redactor;
}

/** What must not change, each on its own and within a sentence. */
const harmless = [
  '6.1.0-56-amd64',
  '12:30:45',
  '2026-11-20T12:30:45.123Z',
  '[   12.345678]',
  'ibv_poll_cq.overrun-async-event',
  'ibv_create_cq_ex(3)',
  'features/cq/ibv_poll_cq.feature:102:7',
  'cq#24',
  '0x643216fffea506f4',
  '0xffffffffffffffff',
  '18446744073709551615',
  'qp_num 0x11, rkey 0x1a2b3c4d',
  'firmware 16.35.20.12',
  'fwVer: 2.42.50.0',
  'version 1.2.3.4',
  'libibverbs.so.1.14.44.0',
  '0.0.0.0',
  '127.0.0.1',
  '256.1.1.1',
  '::',
  '::1',
  '0000:0000:0000:0000:0000:0000:0000:0000',
  '0000:0000:0000:0000',
  '0000:03:00.0',
  'std::vector<int>',
  'd3b07384-d9a0-4c9b-8c1d-1f2e3d4c5b6a',
  '54554447e4ffb409079bcf192d73059d4fd66b81',
  'IBV_WC_SUCCESS',
  '{"a":1,"b":[2,3]}',
  '1,2,3,4',
  'fail: 2 of 3',
];

describe('what is not an address', () => {
  for (const text of harmless) {
    it(`stays: ${text}`, () => {
      assert.equal(redactorOf('node7').text(text), text);
      assert.equal(redactorOf('node7').text(`it says ${text}, then (${text})`), `it says ${text}, then (${text})`);
    });
  }

  it('stays whatever number it is', () => {
    const word = fc.bigInt(0n, 2n ** 64n - 1n);
    fc.assert(
      fc.property(word, fc.nat(), fc.double({ noNaN: true }), (large, small, real) => {
        const text = `wr_id=0x${large.toString(16)} ${large} ${small} ${real} ${small}.${small % 100}.${small % 7}-${small}`;
        assert.equal(redactorOf().text(text), text);
      }),
    );
  });
});

describe('the addresses of the device', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['0000:0000:0000:0000:0000:ffff:c0a8:4d0b', 'gid-1'],
    ['0000:0000:0000:0000:0000:FFFF:C0A8:4D0B', 'gid-1'],
    ['::ffff:192.168.77.11', 'ip-1'],
    ['::ffff:c0a8:4d0b', 'ip-1'],
    ['0:0:0:0:0:ffff:c0a8:4d0b', 'ip-1'],
    ['00000000000000000000ffffc0a84d0b', 'gid-1'],
    ['0x00000000000000000000ffffc0a84d0b', 'gid-1'],
    ['00 00 00 00 00 00 00 00 00 00 ff ff c0 a8 4d 0b', 'gid-1'],
    [gidBytes.map((byte) => `0x${byte}`).join(', '), 'gid-1'],
    ['192.168.77.11', 'ip-1'],
    ['6432:16ff:fea5:06f5', 'guid-1'],
    ['0x643216fffea506f5', 'guid-1'],
    ['643216FFFEA506F5', 'guid-1'],
    ['64:32:16:ff:fe:a5:06:f5', 'guid-1'],
    ['66:32:16:a5:06:f5', 'mac-1'],
    ['66-32-16-A5-06-F5', 'mac-1'],
    ['663216a506f5', 'mac-1'],
  ];
  for (const [spelling, pseudonym] of spellings) {
    it(`are hidden as ${spelling}`, () => {
      assert.equal(redactorOf().text(`a ${spelling}, (${spelling})`), `a ${pseudonym}, (${pseudonym})`);
    });
  }

  it('are hidden in names that are made of them', () => {
    assert.equal(redactorOf().text('rocex643216fffea506f5'), 'rocexguid-1');
    assert.equal(redactorOf().text('enx663216a506f5'), 'enxmac-1');
  });

  it('are hidden where a word in front says version', () => {
    assert.equal(redactorOf().text('firmware 192.168.77.11'), 'firmware ip-1');
  });

  it('are hidden as the MAC address that the GID was made of', () => {
    const redactor = new Redactor([]);
    redactor.learn({ port: { ...port, gid: 'fe80:0000:0000:0000:5054:00ff:fe12:3456' } });
    assert.equal(redactor.text('525400123456 0x505400fffe123456'), 'mac-1 guid-1');
  });

  it('are hidden within memory, at whole bytes', () => {
    const redactor = redactorOf();
    assert.equal(redactor.memory('45c0a84d0bff00000000000000000000ffffc0a84d0b7f'), '45<ip-1>ff<gid-1>7f');
    assert.equal(redactor.memory('0c0a84d0b000'), '0c0a84d0b000');
    assert.equal(redactor.memory('efcdab8967452301'), 'efcdab8967452301');
  });

  it('keep their names when the device comes back with others', () => {
    const redactor = redactorOf();
    assert.equal(redactor.guid(nodeGuid), 'guid-1');
    redactor.learn({ nodeGuid: '0002:c903:000c:1f20', port });
    assert.equal(redactor.text('0002c903000c1f20 643216fffea506f5'), 'guid-2 guid-1');
  });

  it('are hidden though a host spells them in a way of its own', () => {
    const redactor = new Redactor([]);
    assert.equal(redactor.guid('0x643216fffea506f5'), 'guid-1');
    assert.equal(redactor.guid('the one with the sticker'), 'guid-2');
    assert.equal(redactor.gid('::ffff:192.168.77.11'), 'gid-1');
    assert.deepEqual([redactor.guid(''), redactor.gid(''), redactor.gid('::')], ['', '', '::']);
  });
});

describe('other addresses', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['dgid:fe80::1 add:10.1.2.3', 'dgid:ip-1 add:ip-2'],
    ['add:2001:db8:1:2:3:4:5:6', 'add:ip-1'],
    ['dead:fe80:0000:0000:0000:0011:2233:4455:6677', 'gid-1'],
    ['fe80::1%eth0 fe80::1/64 [fe80::1]:80', 'ip-1%eth0 ip-1/64 [ip-1]:80'],
    ['fe80::1: no route', 'ip-1: no route'],
    ['FE80:0:0:0:0:0:0:1 fe80::1', 'ip-1 ip-1'],
    ['fe80:0000:0000:0000:0000:0000:0000:0001 fe80::1', 'gid-1 gid-1'],
    ['http://10.1.2.3:80/10.1.2.3', 'http://ip-1:80/ip-1'],
    ['link/ether 52:54:00:12:34:56 brd ff:ff:ff:ff:ff:ff', 'link/ether mac-1 brd ff:ff:ff:ff:ff:ff'],
    ['80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0c:1f:21', 'mac-1'],
    ['enx001122334455: up', 'enxmac-1: up'],
    ['0002:c903:000c:1f20 0002:c903:000c:1f21 0002:c903:000c:1f20', 'guid-1 guid-2 guid-1'],
  ];
  for (const [text, expected] of cases) {
    it(`are hidden in ${text}`, () => {
      assert.equal(new Redactor([]).text(text), expected);
    });
  }

  const byte = fc.integer({ min: 0, max: 255 });
  const bytes = (length: number) =>
    fc.array(byte, { minLength: length, maxLength: length }).filter((value) => !tellsNothing(value));
  const spell = {
    gid: (value: Bytes) => (hexOfBytes(value).match(/.{4}/g) ?? []).join(':'),
    ipv6: (value: Bytes) =>
      (hexOfBytes(value).match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join(':'),
    pairs: (value: Bytes) => (hexOfBytes(value).match(/../g) ?? []).join(':'),
    ipv4: (value: Bytes) => value.join('.'),
  };
  const address = fc.oneof(
    bytes(16).map(spell.gid),
    bytes(16).map(spell.ipv6),
    bytes(8).map(spell.gid),
    bytes(8).map(spell.pairs),
    bytes(6).map(spell.pairs),
    bytes(4).map(spell.ipv4),
  );
  const around = fc.constantFrom(' ', '"', '(', ')', ',', '=', '/', '[', ']', '\n', '%', ';', '<', '>');
  const before = fc.oneof(around, fc.constantFrom('gid: ', 'gid:', 'addr=', 'dev:', '0x1, '));

  it('leave nothing of themselves, and always have the same pseudonym', () => {
    fc.assert(
      fc.property(address, before, around, fc.boolean(), (plain, lead, after, upper) => {
        const spelled = upper ? plain.toUpperCase() : plain;
        const redactor = redactorOf('node7');
        const once = redactor.text(`${lead}${spelled}${after}`);
        assert.match(once.slice(lead.length, once.length - after.length), /^(gid|guid|ip|mac)-\d+$/);
        assert.equal(redactor.text(`${lead}${plain.toLowerCase()}${after}`), once);
        assert.equal(redactor.text(once), once, 'what is hidden stays as it is');
      }),
      { numRuns: 500 },
    );
  });

  it('never make the redactor fail', () => {
    const parts = fc.oneof(fc.string(), fc.constantFrom(':', '::', '.', '0', 'ff', 'fe80', '-', '1.2.3.', '%', '\\'));
    fc.assert(
      fc.property(fc.array(parts), (texts) => {
        assert.equal(typeof redactorOf('a.b').text(texts.join('')), 'string');
      }),
    );
  });
});

describe('addresses of others', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['node_guid 0xe41d2d0300112233', 'node_guid guid-1'],
    ['"sys_image_guid": "2c90300a1b2c3"', '"sys_image_guid": "guid-1"'],
    ['port 0xe41d2d0300112233 e41d2d0300112233', 'port guid-1 guid-1'],
    ['node guid: 2:c903:a1:b2c3, 0002:c903:00a1:b2c3', 'node guid: guid-1, guid-1'],
    ['0:2:c9:3:0:a1:b2:c3 00-02-c9-03-00-a1-b2-c3', 'guid-1 guid-1'],
    ['ether e41d2d112233, e41d.2d11.2233', 'ether mac-1, mac-1'],
    ['E4-1D-2D-11-22-33 e41d2d112233', 'mac-1 mac-1'],
    ['rocep3s0xe41d2d0300112233 ibxe41d2d112233', 'rocep3s0xguid-1 ibxmac-1'],
    ['10.1.2.3 ::ffff:10.1.2.3 ::ffff:a01:203 0000:ffff:0a01:0203 0x0a010203 0x0302010a', 'ip-1 '.repeat(6).trim()],
    ['fe80::e61d:2dff:fe11:2233 e41d2d112233', 'ip-1 mac-1'],
    ['the prefix fe80:0000:0000:0000', 'the prefix fe80:0000:0000:0000'],
    ['node 0xffff888012345678 at port 0x1f', 'node 0xffff888012345678 at port 0x1f'],
  ];
  for (const [text, expected] of cases) {
    it(`are hidden in ${text}`, () => {
      assert.equal(new Redactor([]).text(text), expected);
    });
  }

  it('have one name in all spellings once they are seen, and others another', () => {
    const redactor = new Redactor([]);
    redactor.learn({ nodeGuid: '0002:c903:00a1:b2c3' });
    assert.equal(
      redactor.text('0x2c90300a1b2c3 2:c903:a1:b2c3 2c9:300:a1b2:c3 0002C90300A1B2C3 0x2c90300a1b2c4'),
      'guid-1 guid-1 guid-1 guid-1 0x2c90300a1b2c4',
    );
  });
});

describe('folders and URLs', () => {
  const folders = { project: '/home/alice/verbspec', home: '/home/alice' };
  const redactor = new Redactor(['ci.corp.example'], { users: ['alice', 'root'], folders });
  const cases: readonly (readonly [string, string])[] = [
    ['at f (/home/alice/verbspec/steps/cq/cq.steps.ts:12:3)', 'at f (steps/cq/cq.steps.ts:12:3)'],
    ['file:///home/alice/verbspec/cli/run.ts', 'file://cli/run.ts'],
    ['/home/alice/mine.json:3 /home/alicette/x /home/bob/y', '~/mine.json:3 /home/user-1/x /home/user-2/y'],
    ['../../home/bob/out ALICE@ root@', '../../home/user-2/out user-3@ root@'],
    ['https://alice:secret@ci.corp.example/a?token=abc&b=1', 'https://host-1/a?token=…&b=1'],
    ['features/home/cq.feature:3', 'features/home/cq.feature:3'],
  ];
  for (const [text, expected] of cases) {
    it(`are hidden in ${text}`, () => {
      assert.equal(redactor.text(text), expected);
    });
  }

  it('of a CI system keep what distinguishes them', () => {
    const urls = ['https://t:s@ci.corp.example/job/17?t=1', 'git@ci.corp.example:a/b.git', 'https://ci.corp.example/'];
    assert.deepEqual(
      urls.map((url) => redactor.url(url)),
      ['https://host-1/path-1', 'host-1:path-2', 'https://host-1/'],
    );
    assert.equal(redactor.url('https://t:other@ci.corp.example/job/17?t=1'), 'https://host-1/path-1');
  });
});

/** Machines and persons whose names are words that a run writes without meaning them. */
const wordy = new Redactor(['expected', 'lab', 'node', 'server', 'vm', '[', 'db-17.lab.example'], {
  users: ['client', 'test', 'a'],
  folders: { project: '/srv/verbspec', home: '/' },
});

describe('what is not a name', () => {
  it('stays: the words of features and clauses', () => {
    const folder = join(__dirname, '..', '..', 'features');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(feature|json)$/.test(file),
    );
    assert.ok(files.length > 10);
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      assert.equal(wordy.text(text), text);
    }
  });

  it('stays in traces, kernel logs and assertions', () => {
    const number = fc.nat({ max: 0xffffff });
    const hex = number.map((value) => `0x${value.toString(16)}`);
    const noun = fc.constantFrom('expected', 'lab', 'node', 'server', 'client', 'test', 'vm', 'a', 'QP', 'CQE', 'host');
    const part = fc.oneof(
      noun,
      fc.tuple(noun, number).map(([word, value]) => `${word} ${value}`),
      fc.tuple(noun, noun).map(([one, other]) => `${one} "recv_cq": ${other}`),
      number.map(
        (value) => `[ ${String(value % 9999).padStart(5)}.${String(value).padStart(6, '0').slice(-6)}] rdma_rxe:`,
      ),
      number.map((value) => `cq#${value} qp_num ${value} psn ${value}`),
      hex.map((value) => `rkey ${value} lkey=${value}, imm_data: ${value}`),
      fc.bigInt(0n, 2n ** 64n - 1n).map((value) => `wr_id 0x${value.toString(16)} ${value}`),
      fc.tuple(number, number).map(([one, other]) => `features/cq/ibv_poll_cq.feature:${one % 999}:${other % 99}`),
      fc.constantFrom(
        'IBV_WC_SUCCESS',
        'ibv_poll_cq.fifo',
        'ibv_create_cq(3)',
        'steps/world/waits.ts:12:3',
        'node:internal/timers:581:17',
      ),
      fc.tuple(number, number).map(([one, other]) => `kernel 6.${one % 20}.${other % 300}-56-amd64`),
      number.map((value) => `0000:03:${String(value % 90).padStart(2, '0')}.0: mlx5_core`),
    );
    const separator = fc.constantFrom(' ', ', ', '\n', '; ', ' is ', ' (', ') ', ' + ');
    fc.assert(
      fc.property(fc.array(fc.tuple(part, separator), { maxLength: 12 }), (parts) => {
        const text = parts.flat().join('');
        assert.equal(wordy.text(text), text);
      }),
      { numRuns: 1000 },
    );
  });

  it('is hidden anyway where only a name can stand', () => {
    assert.equal(
      wordy.text('root@lab, ssh://node:22/x, node:18515, connection to lab ended, x.lab.example, Linux vm 6.1.0'),
      'root@host-1, ssh://host-2:22/x, host-2:18515, connection to host-1 ended, host-3, Linux host-4 6.1.0',
    );
  });
});

describe('names of hosts', () => {
  it('are hidden with and without their domain, as whole words', () => {
    const redactor = new Redactor(['Node7.cluster.example']);
    assert.equal(
      redactor.text('node7: Node7.cluster.example node77 my-node7 node7.other NODE7'),
      'host-1: host-1 node77 my-node7 host-1.other host-1',
    );
  });

  it('that every machine has stay', () => {
    assert.equal(new Redactor(['localhost', '(none)', '']).text('localhost (none)'), 'localhost (none)');
  });
});

describe('an IPv6 address', () => {
  it('has the same bytes in each spelling', () => {
    const hex = (text: string) => hexOfBytes(bytesOfIpv6(text) ?? []);
    assert.equal(hex('::ffff:1.2.3.4'), '00000000000000000000ffff01020304');
    assert.equal(hex('fe80::'), 'fe800000000000000000000000000000');
    assert.equal(hex('1:2:3:4:5:6:7:8'), '00010002000300040005000600070008');
    assert.equal(bytesOfIpv6('1:2:3'), undefined);
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HarnessError, UsageError } from '../../drivers/contract';
import { checkOf, nodeCheck, optional } from '../../drivers/support/checks';
import { portCheck } from '../../drivers/hca/checks';
import { memoryCheck } from '../../drivers/hca/free-memory';
import { parseMtus } from '../../drivers/native/host/active-mtus';
import { moduleCheck } from '../../drivers/native/client/checks';
import { rdmaDevices } from '../../drivers/native/host/devices';
import { lockCheck, lockLimit } from '../../drivers/native/host/memory-lock';
import { moduleState } from '../../drivers/native/linux/module-state';
import { Sysfs } from '../../drivers/native/linux/sysfs';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import { devicesNamed, diagnose } from './doctor';
import type { DoctorReport } from './doctor-report';
import { doctorText } from './doctor-text';
import schema from './doctor.schema.json';

const assertReport: SchemaAssertion<DoctorReport> = schemaAssertion<DoctorReport>(schema);
const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function treeOf(files: Readonly<Record<string, string>>): Sysfs {
  const root = mkdtempSync(join(tmpdir(), 'verbspec-doctor-'));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return new Sysfs(root);
}

const empty = '0000:0000:0000:0000:0000:0000:0000:0000';
const linkLocal = 'fe80:0000:0000:0000:5054:00ff:fe12:3456';
const mapped = '0000:0000:0000:0000:0000:ffff:c000:0201';

/** A device with one port, which has these GIDs. */
function deviceWith(state: string, gids: readonly (readonly [gid: string, type: string])[]): Sysfs {
  const port = 'sys/class/infiniband/mlx5_0/ports/1';
  const entries = gids.flatMap(([gid, type], index) => [
    [`${port}/gids/${index}`, `${gid}\n`],
    [`${port}/gid_attrs/types/${index}`, `${type}\n`],
    [`${port}/gid_attrs/ndevs/${index}`, 'eth0\n'],
  ]);
  return treeOf({
    [`${port}/state`]: `${state}\n`,
    [`${port}/link_layer`]: 'Ethernet\n',
    ...(Object.fromEntries(entries) as Record<string, string>),
  });
}

describe('verbspec doctor', () => {
  it('keeps the schema of its JSON on this machine', () => {
    const report: unknown = JSON.parse(JSON.stringify(diagnose([])));
    assertReport(report, 'the report');
    assert.deepEqual(
      report.drivers.map(({ driver, kernel }) => [driver, kernel]),
      [
        ['sim', undefined],
        ['soft-roce', 'host'],
        ['soft-roce', 'vm'],
        ['hca', undefined],
      ],
    );
  });

  it('asks for Node and for Java, whatever the driver', () => {
    for (const { driver, checks } of diagnose([]).drivers) {
      const names = checks.map(({ name }) => name);
      assert.deepEqual([names[0], names.at(-1)], ['Node.js 20 or newer', 'Java, for the HTML report'], driver);
    }
  });

  it('has a remedy for whatever is not there', () => {
    assert.throws(() => {
      const checks = [{ name: 'x', status: 'missing', found: 'nothing' }];
      assertReport({ ...diagnose(['sim']), drivers: [{ driver: 'sim', ok: false, checks }] }, 'the report');
    }, HarnessError);
  });

  it('looks at what it was asked for', () => {
    const { ok, drivers, devices } = diagnose(['sim']);
    assert.deepEqual([ok, drivers.length, devices.length], [true, 1, 0]);
    assert.throws(() => diagnose(['sim', 'nope']), UsageError);
  });

  it('looks at one device alone where that is asked, and says which there are', () => {
    const devices = ['mlx5_0', 'mlx5_1'].map((name) => ({ name, ports: [] }));
    assert.deepEqual(devicesNamed(devices), devices);
    assert.deepEqual(devicesNamed(devices, 'mlx5_1'), [{ name: 'mlx5_1', ports: [] }]);
    const refused = (message: RegExp) => (error: unknown) => error instanceof UsageError && message.test(error.message);
    assert.throws(
      () => devicesNamed(devices, 'mlx5_2'),
      refused(/^there is no RDMA device "mlx5_2"; there are mlx5_0, mlx5_1$/),
    );
    assert.throws(() => devicesNamed([], 'mlx5_0'), refused(/this machine has none$/));
    assert.throws(() => diagnose(['sim'], 'mlx5_0'), refused(/^--ib-dev names a device of the driver hca;/));
    assert.throws(() => diagnose(['hca'], 'no such device'), refused(/^there is no RDMA device "no such device"/));
  });

  it('prints each check with its remedy, and devices with the options to choose them', () => {
    const [device] = rdmaDevices(
      deviceWith('4: ACTIVE', [
        [linkLocal, 'RoCE v2'],
        [mapped, 'RoCE v2'],
      ]),
    );
    assert.ok(device);
    const report: DoctorReport = {
      schemaVersion: 1,
      ok: false,
      drivers: [
        { driver: 'soft-roce', kernel: 'vm', ok: false, checks: [checkOf('qemu', false, 'missing', 'get it')] },
      ],
      devices: [{ name: 'mlx5_0', ports: device.ports.map((port) => ({ ...port, activeMtu: 1024 })) }],
    };
    assert.equal(
      doctorText(report, {}),
      [
        'soft-roce in a VM: cannot run',
        '  missing   qemu  missing',
        '            get it',
        '',
        'RDMA devices',
        '  mlx5_0 port 1: ACTIVE, Ethernet, eth0, active MTU 1024',
        `      -x 0    ${linkLocal}  RoCE v2  eth0`,
        `      -x 1    ${mapped}  RoCE v2  eth0`,
        '    npx verbspec run --driver hca -d mlx5_0 -x 1',
        '',
      ].join('\n'),
    );
  });
});

describe('the RDMA devices of a machine', () => {
  const choose = (...gids: (readonly [string, string])[]): number | undefined =>
    rdmaDevices(deviceWith('4: ACTIVE', gids))[0]?.ports[0]?.gidIndex;

  it('have the GIDs that are in use', () => {
    const [device] = rdmaDevices(
      deviceWith('4: ACTIVE', [
        [empty, ''],
        [linkLocal, 'RoCE v2'],
      ]),
    );
    const [port] = device?.ports ?? [];
    assert.deepEqual(port?.gids, [{ index: 1, gid: linkLocal, type: 'RoCE v2', netdev: 'eth0' }]);
    assert.deepEqual([device?.name, port.port, port.state, port.netdev], ['mlx5_0', 1, 'ACTIVE', 'eth0']);
  });

  it('are best used by RoCE v2 on IPv4, then by RoCE v2, then by what there is', () => {
    const [v1, v2] = ['IB/RoCE v1', 'RoCE v2'];
    assert.equal(choose([linkLocal, v1], [linkLocal, v2], [mapped, v1], [mapped, v2]), 3);
    assert.equal(choose([mapped, v1], [linkLocal, v2]), 1);
    assert.equal(choose([empty, v1], [linkLocal, v1]), 1);
    assert.equal(choose([empty, v2]), undefined);
  });

  it('need an active port with a GID', () => {
    const status = (state: string, ...gids: (readonly [string, string])[]) => {
      const { status, found, remedy } = portCheck(rdmaDevices(deviceWith(state, gids)));
      return [status, found, remedy?.replace('sudo ', '')];
    };
    assert.deepEqual(status('4: ACTIVE', [mapped, 'RoCE v2']), ['ok', 'mlx5_0/1 ACTIVE', undefined]);
    assert.deepEqual(status('1: DOWN', [mapped, 'RoCE v2']), [
      'missing',
      'mlx5_0/1 DOWN',
      'connect the port and set its network interface up: ip link set eth0 up',
    ]);
    assert.deepEqual(status('4: ACTIVE'), [
      'missing',
      'mlx5_0/1 ACTIVE without a GID',
      'give the network interface of the port an address: ip address add ADDRESS/PREFIX dev INTERFACE',
    ]);
    assert.equal(portCheck([]).found, 'no port');
  });

  it('have no active MTU where the probe died', () => {
    assert.deepEqual(parseMtus('{"rxe0":{"1":1024}}\n'), { rxe0: { '1': 1024 } });
    for (const text of ['', '{"rxe0":', 'null']) assert.deepEqual(parseMtus(text), {});
  });
});

describe('a check', () => {
  it('is ok, missing, or optional', () => {
    assert.deepEqual(checkOf('x', true, 'here', 'get it'), { name: 'x', status: 'ok', found: 'here' });
    const missing = checkOf('x', false, 'nowhere', 'get it');
    assert.deepEqual(optional(missing), { name: 'x', status: 'optional', found: 'nowhere', remedy: 'get it' });
    assert.equal(optional(checkOf('x', true, 'here', '')).status, 'ok');
  });

  it('of Node.js knows old ones', () => {
    assert.deepEqual(
      [nodeCheck('18.20.1').status, nodeCheck('20.0.0').status, nodeCheck('24.1.0').status],
      ['missing', 'ok', 'ok'],
    );
  });

  it('of a kernel module distinguishes loaded, loadable and absent ones', () => {
    const sysfs = treeOf({
      'sys/module/ib_core/refcnt': '1',
      'sys/module/xfs/refcnt': '1',
      'lib/modules/6.1/modules.dep': 'kernel/drivers/infiniband/core/ib_uverbs.ko.xz: x.ko\nkernel/not_ib_cm.ko:\n',
      'lib/modules/6.1/modules.builtin': 'kernel/fs/xfs/xfs.ko\n',
    });
    const states = ['ib_core', 'ib_uverbs', 'xfs', 'ib_cm'].map((name) => moduleState(name, sysfs, '6.1'));
    assert.deepEqual(states, ['loaded', 'loadable', 'built in', 'absent']);
    const need = { name: 'ib_uverbs', remedy: 'get it' };
    assert.match(moduleCheck(need, 'loadable').remedy ?? '', /modprobe ib_uverbs$/);
    assert.equal(moduleCheck({ ...need, isLoadedOnDemand: true }, 'loadable').status, 'ok');
    assert.deepEqual([moduleCheck(need, 'absent').status, moduleCheck(need, 'absent').remedy], ['missing', 'get it']);
  });

  it('of the memory that may be locked knows who is exempt, and what a user may raise himself', () => {
    const limits = (soft: string, hard: string, capabilities: string) =>
      lockLimit(
        treeOf({
          'proc/self/limits': `Limit   Soft   Hard   Units\nMax locked memory   ${soft}   ${hard}   bytes\n`,
          'proc/self/status': `Name: x\nCapEff:\t${capabilities}\n`,
        }),
      );
    const none = '0000000000000000';
    assert.deepEqual(limits('65536', 'unlimited', none), { soft: 65536, hard: undefined, isExempt: false });
    assert.equal(lockCheck(limits('65536', '65536', '0000000000004000')).status, 'ok');
    assert.equal(lockCheck(limits('unlimited', 'unlimited', none)).status, 'ok');
    assert.equal(lockCheck(limits('65536', 'unlimited', none)).remedy, 'ulimit -l unlimited');
    assert.equal(lockCheck(limits('65536', '33554432', none)).remedy, 'ulimit -l 32768');
    const small = lockCheck(limits('65536', '65536', none));
    assert.deepEqual([small.status, small.found], ['optional', 'soft 64 KiB, hard 64 KiB']);
    assert.match(small.remedy ?? '', /limits\.d/);
  });
});

describe('memory for the largest CQ', () => {
  it('is reported where it would cost a scenario its process', () => {
    assert.deepEqual(memoryCheck(2 ** 31), {
      name: 'memory for the largest CQ',
      status: 'ok',
      found: '2.0 GiB available',
    });
    const short = memoryCheck(2 ** 29);
    assert.deepEqual([short.status, short.found], ['optional', '0.5 GiB available']);
    assert.match(short.remedy ?? '', /^give the process 2 GiB: /);
  });
});

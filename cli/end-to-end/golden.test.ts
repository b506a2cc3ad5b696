import { describe, it } from 'node:test';
import { assertGolden } from '../../reports/fixtures/golden';
import { doctorText } from '../doctor/doctor-text';
import type { DoctorReport } from '../doctor/doctor-report';
import { renderRules } from '../rules/rules-table';
import type { RuleRow } from '../rules/rule-row';

const clause: RuleRow = {
  id: 'ibv_poll_cq.fifo',
  page: 'ibv_poll_cq',
  section: 'DESCRIPTION',
  title: 'no Rule yet',
  authority: 'page',
  level: 'must',
  testable: 'loopback',
  scenarios: 0,
};
const shown: RuleRow = {
  ...clause,
  title: 'First in, first out, whatever the QPs that the CQEs came from',
  scenarios: 12,
};

const rows: readonly RuleRow[] = [
  shown,
  { ...clause, id: 'ibv_poll_cq.empty' },
  { ...shown, id: 'ibv_poll_cq.overrun', section: 'NOTES', level: 'should' },
  { ...shown, id: 'ibv_resize_cq.far', page: 'ibv_resize_cq', scenarios: 0, reason: 'It takes a second machine.' },
];

const report: DoctorReport = {
  schemaVersion: 1,
  ok: false,
  drivers: [
    { driver: 'sim', ok: true, checks: [{ name: 'Node.js 20 or newer', status: 'ok', found: '20.20.2' }] },
    {
      driver: 'soft-roce',
      kernel: 'vm',
      ok: false,
      checks: [
        { name: 'QEMU', status: 'missing', found: 'missing', remedy: 'sudo apt-get install -y qemu-system-x86' },
        { name: 'KVM', status: 'optional', found: '/dev/kvm cannot be opened', remedy: 'sudo chmod a+rw /dev/kvm' },
      ],
    },
  ],
  devices: [
    {
      name: 'mlx5_0',
      ports: [
        {
          port: 1,
          state: 'ACTIVE',
          linkLayer: 'Ethernet',
          netdev: 'eth0',
          activeMtu: 4096,
          gids: Array.from({ length: 18 }, (_, index) => ({
            index,
            gid: `fe80:0000:0000:0000:5054:00ff:fe12:${String(3456 + index)}`,
            type: index % 2 === 0 ? 'IB/RoCE v1' : 'RoCE v2',
            netdev: 'eth0',
          })),
          gidIndex: 3,
        },
        { port: 2, state: 'DOWN', linkLayer: 'Ethernet', netdev: '', gids: [] },
      ],
    },
  ],
};

describe('what the command prints reads as it was agreed', () => {
  it('the rules', () => {
    assertGolden('rules.txt', renderRules(rows, {}));
  });

  it('the rules with the verdicts of a run', () => {
    const judged = rows.map((row, index) => (index === 1 ? row : { ...row, verdict: 'not-applicable' as const }));
    assertGolden('rules-of-run.txt', renderRules(judged, {}));
  });

  it('what is missing, and the devices', () => {
    assertGolden('doctor.txt', doctorText(report, {}));
  });
});

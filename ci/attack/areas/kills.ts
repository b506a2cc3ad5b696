import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../../cli/common/project';
import { driver, rule } from '../expect';
import type { Area, Ended, SignalAfter, Try } from '../try';

const waiting = driver('waiting-driver');
const said = /the driver waits/;

/** The host process of that driver is TypeScript of the project, wherever it is started. */
const inProject = { NODE_PATH: join(root, 'node_modules'), TS_NODE_PROJECT: join(root, 'tsconfig.json') };

const ending = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Ending = keyof typeof ending;

/** A rule before the one in which the driver waits. */
const rules = ['ibv_get_cq_event.get-returns-zero', 'ibv_resize_cq.returns-zero', rule];

/** The results of a whole run lie in `--out`: whatever ends this one, they stay as they are. */
function overEarlier(name: string, phase: string, signals: readonly SignalAfter[], code: number): Try {
  return {
    name: `${name} in ${phase}, over earlier results`,
    args: ['run', ...rules, ...waiting],
    env: { ...inProject, VERBSPEC_WAIT: phase },
    prepare: (scratch) => {
      scratch.run('out');
    },
    signals,
    expect: { code },
    changes: code === 137 ? ['.out.*'] : ['out.*'], // nobody is left to remove what SIGKILL leaves
    afterwards: leavesNoHalf,
  };
}

function afresh(signal: Ending, phase: string): Try {
  return {
    name: `${signal} in ${phase}, without earlier results`,
    args: ['run', ...rules, ...waiting],
    env: { ...inProject, VERBSPEC_WAIT: phase },
    signals: [{ after: said, signal }],
    expect: { code: ending[signal] },
    changes: phase === 'start' ? [] : ['out', 'out.*'],
    afterwards: leavesNoHalf,
    quick: signal === 'SIGINT' && phase === 'scenario',
  };
}

/** Where results lie, there are verdicts; raw messages may lie beside earlier results, which are as they were. */
function leavesNoHalf({ scratch }: Ended): void {
  for (const folder of scratch.names().filter((name) => name === 'out')) {
    const isHalf = scratch.has(`${folder}/messages.ndjson`) && !scratch.has(`${folder}/verdicts.json`);
    assert.ok(!isHalf, `${folder} has messages and no verdicts`);
  }
}

function twice(signal: Ending, delayMs: number): SignalAfter[] {
  return [
    { after: said, signal },
    { after: said, signal, delayMs },
  ];
}

const phases = ['start', 'scenario', 'hang'];
const signals: readonly Ending[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A signal that comes to a command while it works, by what it has said by then. */
function during(name: string, args: readonly string[], after: RegExp, signal: Ending): Try {
  return {
    name: `${signal} during ${name}`,
    args,
    signals: [{ after, signal }],
    expect: { code: ending[signal] },
    changes: [],
    maxMs: 120_000,
  };
}

/** Signals at any time: earlier results stay, and nothing lives on. */
export const kills: Area = {
  area: 'kills',
  tries: [
    ...signals.flatMap((signal) => phases.map((phase) => afresh(signal, phase))),
    ...signals.map((signal) => overEarlier(signal, 'scenario', [{ after: said, signal }], ending[signal])),
    ...[0, 100, 1000].map((ms) => overEarlier(`two SIGINT within ${ms} ms`, 'scenario', twice('SIGINT', ms), 130)),
    overEarlier(
      'SIGINT and SIGTERM',
      'scenario',
      [...twice('SIGINT', 0).slice(1), { after: said, signal: 'SIGTERM', delayMs: 100 }],
      130,
    ),
    overEarlier('two SIGINT within 100 ms', 'hang', twice('SIGINT', 100), 130),
    overEarlier('SIGINT', 'start', [{ after: said, signal: 'SIGINT' }], 130),
    overEarlier('SIGKILL', 'scenario', [{ after: said, signal: 'SIGKILL' }], 137),
    overEarlier('SIGKILL', 'start', [{ after: said, signal: 'SIGKILL' }], 137),
    during('prove', ['prove', rule], /without a fault/, 'SIGINT'),
    during('prove', ['prove', rule], /without a fault/, 'SIGTERM'),
    {
      name: 'SIGKILL of prove: its workers end',
      args: ['prove', rule],
      signals: [{ after: /without a fault/, signal: 'SIGKILL' }],
      expect: { code: 137 },
      changes: ['.out.*'],
      maxMs: 120_000,
    },
    {
      name: 'SIGINT while Java makes the report, over earlier results',
      args: ['run', rule],
      prepare: (scratch) => {
        scratch.run('out');
        scratch.program('jdk/bin/java', 'echo java is at work >&2; exec sleep 600');
      },
      env: { JAVA_HOME: '{here}/jdk' },
      signals: [{ after: /1 rule: 1 conforms/, signal: 'SIGINT' }],
      expect: { code: 130 },
      changes: ['out', 'out.*'], // all has run: the results are whole except for the HTML
      afterwards: leavesNoHalf,
    },
    {
      name: 'a reader that has seen enough of a list',
      args: ['rules'],
      under: '{ "$@"; echo $? > code; } | head -n 1',
      expect: { code: 0 },
      changes: ['code'],
      afterwards: ({ scratch }) => {
        assert.equal(scratch.read('code'), '0\n');
      },
    },
    {
      name: 'a reader of a run that goes away',
      args: ['run', rule],
      under: '{ "$@"; echo $? > code; } | true',
      expect: { code: 0 },
      changes: ['code', 'out'],
      afterwards: ({ scratch }) => {
        assert.equal(scratch.read('code'), '0\n');
      },
    },
  ],
};

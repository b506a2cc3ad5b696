import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { DutCrashed, DutPanicked } from '../contract';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import { simulatedDut } from '../sim/device/dut';
import { partsFor } from '../sim/faults';
import { partsOf, variants } from '../sim/lawful';
import { backendOf, triedDut } from '../sim/tried-dut';
import { checkedProgram, programOf } from '../programs/check-program';
import { callsOf, isCall, type Op, type Program } from '../programs/program';
import { runProgram } from '../programs/run-program';
import { Explorer, keyOf, NotExecuted, type Execute, type Finding, type OracleName } from './explorer';
import { exhaustive } from './generate/exhaustive';
import { generate } from './generate/generate';
import { mutated } from './generate/mutate';
import { closed } from './shrink/closed';
import { shrink } from './shrink/shrink';
import { makesSense } from './sound';

const { capabilities } = simulatedDut;
const programs = 12;

/** The first finding on a simulator with that fault. */
async function findingOf(fault: string, oracles?: readonly OracleName[]): Promise<Finding | undefined> {
  const explorer = new Explorer(new SimBackend(partsFor(fault)), oracles === undefined ? {} : { oracles });
  for (let index = 0; index < 3 * programs; index++) {
    const outcome = await explorer.examine(await generate({ seed: 4, capabilities }, index));
    if (outcome.kind === 'finding') return outcome.finding;
  }
  return undefined;
}

describe('random programs', () => {
  it('are the same for the same seed, and well formed', async () => {
    for (let index = 0; index < 4; index++) {
      const program = await generate({ seed: 9, capabilities }, index);
      assert.deepEqual(await generate({ seed: 9, capabilities }, index), program);
      checkedProgram(JSON.parse(JSON.stringify(program)));
    }
    assert.notDeepEqual(await generate({ seed: 10, capabilities }, 0), await generate({ seed: 9, capabilities }, 0));
  });

  it('arm no CQ for solicited CQEs alone on a device that cannot', async () => {
    const without = capabilities.filter((one) => one !== 'solicited-events');
    for (let index = 0; index < 40; index++) {
      const calls = callsOf(await generate({ seed: 1, capabilities: without }, index));
      assert.ok(!calls.some(({ call, args }) => call === 'ibv_req_notify_cq' && args.solicitedOnly !== 0), `${index}`);
    }
  });

  it('accuse no sound simulator', async () => {
    const explorer = new Explorer(new SimBackend(soundParts));
    for (let index = 0; index < programs; index++) {
      const outcome = await explorer.examine(await generate({ seed: 2, capabilities }, index));
      assert.equal(outcome.kind, 'sound', `program ${index}`);
    }
    for (const index of [0, 4711, 99_999]) assert.ok(await makesSense(await exhaustive(index, capabilities)));
  });

  for (const name of [
    'sends-complete-late',
    'cq-of-a-power-of-two-less-one',
    'port-event-at-each-post',
    'failed-cqe-of-ones',
    'qp-fatal-of-failed-work',
  ]) {
    it(`do not accuse a device where ${variants[name]?.does}`, async () => {
      const parts = partsOf([variants[name] ?? assert.fail()]);
      const dut = await triedDut(backendOf(parts), () => undefined);
      const explorer = new Explorer(new SimBackend(parts, undefined, dut));
      for (let index = 0; index < programs; index++) {
        const outcome = await explorer.examine(await generate({ seed: 4, capabilities: dut.capabilities }, index));
        assert.equal(outcome.kind, 'sound', `program ${index}`);
      }
    });
  }

  it('are changed by others of a corpus', async () => {
    const corpus: Program[] = [await generate({ seed: 2, capabilities }, 0)];
    const same = closed(corpus[0]?.ops ?? []);
    const changed = Array.from({ length: 20 }, (_, index) => mutated(corpus, 1, index)?.ops ?? assert.fail());
    const different = changed.filter((ops) => !isDeepStrictEqual(ops, same));
    assert.ok(different.length >= 18, `${different.length} of 20`);
    assert.equal(mutated([], 1, 5), undefined);
  });
});

describe('an oracle', () => {
  const faults: readonly (readonly [OracleName, string])[] = [
    ['axioms', 'cqe-comes-twice'],
    ['axioms', 'stays-armed'],
    ['inclusion', 'byte-len-with-immediate'],
    ['inclusion', 'poll-newest-first'],
    ['metamorphic', 'partial-poll-loses-one'],
  ];
  for (const [oracle, fault] of faults) {
    it(`of ${oracle} finds the fault ${fault}`, async () => {
      assert.equal((await findingOf(fault, [oracle]))?.oracle, oracle);
    });
  }
});

describe('a device that goes another way when a program is written in another', () => {
  /** What comes of a program on the sound simulator that, written in another way, is run on another device. */
  async function kindOf(index: number, other: Parts, oracles: readonly OracleName[]): Promise<string> {
    let runs = 0;
    const execute: Execute = async (one) =>
      (await runProgram(new SimBackend(runs++ === 0 ? soundParts : other), one)).records;
    const explorer = new Explorer(new SimBackend(soundParts), { execute, oracles });
    return (await explorer.examine(await generate({ seed: 34, capabilities }, index))).kind;
  }

  it('is not accused of what it may do, though it has not done so in the first way', async () => {
    const coarse = partsOf([variants['statuses-are-coarse'] ?? assert.fail()]);
    assert.equal(await kindOf(73, coarse, ['metamorphic']), 'finding');
    assert.equal(await kindOf(73, coarse, ['inclusion', 'metamorphic']), 'sound');
  });

  it('is accused of what it may not do', async () => {
    const losing = partsFor('partial-poll-loses-one');
    const kinds = new Set<string>();
    for (let index = 0; index < 80; index++) kinds.add(await kindOf(index, losing, ['inclusion', 'metamorphic']));
    assert.ok(kinds.has('finding'));
  });
});

describe('a device that executes whole programs', () => {
  /** As a host does, which says whether calls waited, and of settles that end together not how many there were. */
  const executeOn =
    (fault?: string): Execute =>
    async (program) => {
      const { records } = await runProgram(new SimBackend(partsFor(fault)), program);
      return records.map((record) =>
        record?.waited === undefined ? record : { ...record, waited: record.waited + 1 },
      );
    };

  async function kindsOn(execute: Execute): Promise<ReadonlySet<string>> {
    const explorer = new Explorer(new SimBackend(soundParts), { execute });
    const kinds = new Set<string>();
    for (let index = 0; index < programs; index++) {
      kinds.add((await explorer.examine(await generate({ seed: 5, capabilities }, index))).kind);
    }
    return kinds;
  }

  it('is sound where its records are, and found out where they are not', async () => {
    assert.deepEqual([...(await kindsOn(executeOn()))], ['sound']);
    assert.ok((await kindsOn(executeOn('byte-len-with-immediate'))).has('finding'));
  });

  it('is found out where a call returns that has to wait', async () => {
    const program = programOf(readFileSync(join(__dirname, 'corpus', 'destroy-does-not-wait.json'), 'utf8'));
    const kindOn = async (fault?: string): Promise<string> =>
      (await new Explorer(new SimBackend(soundParts), { execute: executeOn(fault) }).examine(program)).kind;
    assert.deepEqual([await kindOn(), await kindOn('destroy-does-not-wait')], ['sound', 'finding']);
  });

  it('is found out by nothing but that it did not wait', async () => {
    const program = programOf(readFileSync(join(__dirname, 'corpus', 'destroy-does-not-wait.json'), 'utf8'));
    const records = await executeOn()(program);
    assert.ok(records.some((record) => record?.waited !== undefined));
    const execute: Execute = () => Promise.resolve(records.map((record) => record && { ...record, waited: 0 }));
    assert.equal((await new Explorer(new SimBackend(soundParts), { execute }).examine(program)).kind, 'finding');
  });

  it('is found out where setting the flags of a descriptor returns something else than 0', async () => {
    const execute: Execute = async (program) =>
      (await executeOn()(program)).map((record) =>
        record?.args.cmd === 'F_SETFL' ? { ...record, returned: 1 } : record,
      );
    assert.ok((await kindsOn(execute)).has('finding'));
  });

  it('is not accused of a defect of what runs the programs', async () => {
    await assert.rejects(
      kindsOn(() => Promise.reject(new TypeError('x is not a function'))),
      TypeError,
    );
  });

  it('is accused of nothing where it does not go on with a program', async () => {
    assert.deepEqual([...(await kindsOn(() => Promise.reject(new NotExecuted('a batch is open'))))], ['inconclusive']);
  });

  it('is judged by a run that another one does not repeat, unless that run would accuse it', async () => {
    const once =
      (parts: Parts): Execute =>
      async (program) => {
        const { records } = await runProgram(new SimBackend(parts), program);
        throw new NotExecuted('it returns when the program is run again', records);
      };
    assert.deepEqual([...(await kindsOn(once(soundParts)))], ['sound']);
    const kinds = await kindsOn(once(partsFor('stays-armed')));
    assert.deepEqual([kinds.has('inconclusive'), kinds.has('finding')], [true, false]);
  });
});

describe('a device whose process crashes', () => {
  /** Its process dies at an operation, which those before it may have to lead to. */
  const dyingAt = (isDeadly: (op: Op, before: readonly Op[]) => boolean, runs: Program[] = []): Explorer => {
    const execute: Execute = async (program) => {
      runs.push(program);
      const { ops } = program;
      if (ops.some((op, index) => isDeadly(op, ops.slice(0, index)))) throw new DutCrashed('it died of SIGSEGV');
      return (await runProgram(new SimBackend(soundParts), program)).records;
    };
    return new Explorer(new SimBackend(soundParts), { execute });
  };
  const isPoll = (op: Op): boolean => isCall(op) && op.call === 'ibv_poll_cq';

  async function findingFor(explorer: Explorer, program: Program): Promise<Finding> {
    const outcome = await explorer.examine(program);
    assert.ok(outcome.kind === 'finding');
    return outcome.finding;
  }

  it('is accused of the call without which it lives, as the last of the program', async () => {
    const program = await generate({ seed: 5, capabilities }, 0);
    const second = program.ops.findIndex((op, index) => isPoll(op) && program.ops.slice(0, index).some(isPoll));
    assert.ok(second > 0);
    const { program: deadly, difference } = await findingFor(
      dyingAt((op, before) => isPoll(op) && before.some(isPoll)),
      program,
    );
    assert.deepEqual(deadly.ops, program.ops.slice(0, second + 1));
    const at = callsOf(deadly).length - 1;
    const observed = 'it died of SIGSEGV';
    assert.deepEqual(difference, { at, verb: 'ibv_poll_cq', what: 'crash', expected: 'none', observed });
  });

  it('is accused of an operation other than a call, too', async () => {
    const program = await generate({ seed: 5, capabilities }, 0);
    const isSettle = (op: Op): boolean => 'settle' in op;
    const { program: deadly, difference } = await findingFor(dyingAt(isSettle), program);
    const first = program.ops.findIndex(isSettle);
    assert.equal(deadly.ops.length, first + 1);
    const before = callsOf({ ops: program.ops.slice(0, first) }).length;
    assert.deepEqual([difference.verb, difference.at], ['settle', before]);
  });

  it('is not accused of an operation at which something else goes wrong', async () => {
    const program = await generate({ seed: 5, capabilities }, 0);
    const execute: Execute = ({ ops }) =>
      Promise.reject(
        ops.length === program.ops.length ? new DutCrashed('it died') : new NotExecuted('a batch is open'),
      );
    const explorer = new Explorer(new SimBackend(soundParts), { execute });
    assert.equal((await findingFor(explorer, program)).program.ops.length, program.ops.length);
  });

  it('is not accused of any operation where it crashes now and then', async () => {
    const program = await generate({ seed: 5, capabilities }, 0);
    let runs = 0;
    const execute: Execute = async (part) => {
      runs += 1;
      if (runs === 1) throw new DutCrashed('it died');
      return (await runProgram(new SimBackend(soundParts), part)).records;
    };
    const explorer = new Explorer(new SimBackend(soundParts), { execute });
    const { program: deadly, difference } = await findingFor(explorer, program);
    assert.equal(deadly, program);
    assert.deepEqual([difference.verb, difference.what], ['call', 'crash']);
  });

  it('is run twice more where the last operation is the deadly one', async () => {
    const runs: Program[] = [];
    const whole = await generate({ seed: 5, capabilities }, 0);
    const program = { ...whole, ops: whole.ops.slice(0, whole.ops.findIndex(isPoll) + 1) };
    await findingFor(dyingAt(isPoll, runs), program);
    assert.equal(runs.length, 3);
  });
});

describe('a device whose kernel complains', () => {
  /** The kernel complains at the end of that program, counted from 1. */
  class Complaining extends SimBackend {
    #ends = 0;

    constructor(readonly atEnd: number) {
      super(soundParts);
    }

    override end(): ReturnType<SimBackend['end']> {
      this.#ends += 1;
      return this.#ends === this.atEnd ? Promise.reject(new DutPanicked('the kernel is tainted')) : super.end();
    }

    kernelLog(): string {
      return this.#ends === this.atEnd ? '[    1.000000] WARNING: CPU: 0 PID: 7 at rxe_pool.c:255\n' : '';
    }
  }

  for (const [which, atEnd] of [
    ['the program', 1],
    ['the other program of a pair', 2],
  ] as const) {
    it(`is accused of what ${which} brings about, in the words of the kernel`, async () => {
      let finding: Finding | undefined;
      for (let index = 0; index < programs && finding === undefined; index++) {
        const program = await generate({ seed: 6, capabilities }, index);
        const outcome = await new Explorer(new Complaining(atEnd)).examine(program);
        if (outcome.kind !== 'finding') continue;
        ({ finding } = outcome);
        assert.equal(finding.program === program, atEnd === 1);
      }
      assert.equal(finding?.oracle, 'broken call');
      assert.equal(finding.difference.observed, 'the kernel is tainted: WARNING: CPU: 0 PID: 7 at rxe_pool.c:255');
    });
  }
});

describe('a device whose kernel complains of a program that does what it may', () => {
  it('is accused of that', async () => {
    class Grumbling extends SimBackend {
      #log = '[    1.000000] WARNING: CPU: 0 PID: 7 at rxe_pool.c:255\n';

      kernelLog(): string {
        const log = this.#log;
        this.#log = '';
        return log;
      }
    }
    const outcome = await new Explorer(new Grumbling(soundParts)).examine(await generate({ seed: 5, capabilities }, 0));
    assert.ok(outcome.kind === 'finding');
    assert.equal(outcome.finding.oracle, 'broken call');
    const complaint = 'WARNING: CPU: 0 PID: 7 at rxe_pool.c:255';
    assert.equal(outcome.finding.difference.observed, `the kernel of the device complains: ${complaint}`);
  });
});

describe('a finding', () => {
  it('is made small, and shows the same', async () => {
    const fault = 'byte-len-with-immediate';
    const found = (await findingOf(fault)) ?? assert.fail('nothing was found');
    const explorer = new Explorer(new SimBackend(partsFor(fault)));
    const small = await shrink(found.program, async (program) => {
      if (!(await makesSense(program))) return false;
      const outcome = await explorer.examine(program);
      return outcome.kind === 'finding' && keyOf(outcome.finding) === keyOf(found);
    });
    assert.ok(callsOf(small).length <= 20, `${callsOf(small).length} calls are left`);
    assert.ok(await makesSense(small));
  });
});

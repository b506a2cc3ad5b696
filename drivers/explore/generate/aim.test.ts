import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulatedDut } from '../../sim/device/dut';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { cellKey, type Cell } from '../coverage/cell';
import { Explorer } from '../explorer';
import type { Program } from '../../programs/program';
import { makesSense } from '../sound';
import { Aim, type Act, type Scope } from './aim';
import { Chance } from './chance';
import { generate } from './generate';

const { capabilities } = simulatedDut;
const count = 40;

/** Programs one after another, and the cells that they reach together. */
async function programs(aim?: Aim): Promise<{ readonly made: Program[]; readonly cells: ReadonlySet<string> }> {
  const cells = new Set<string>();
  const made: Program[] = [];
  for (let index = 0; index < count; index++) {
    const see = (cell: Parameters<typeof cellKey>[0]): void => void cells.add(cellKey(cell));
    made.push(await generate({ seed: 3, capabilities, see, ...(aim && { aim }) }, index));
  }
  return { made, cells };
}

describe('programs that head for what was met least', () => {
  it('reach more than others do, and are the same for the same seed', async () => {
    const aimed = await programs(new Aim());
    assert.ok(aimed.cells.size > 1.3 * (await programs()).cells.size, String(aimed.cells.size));
    assert.deepEqual((await programs(new Aim())).made, aimed.made);
  });

  it('make sense, and accuse no sound simulator', async () => {
    const explorer = new Explorer(new SimBackend(soundParts));
    for (const [index, program] of (await programs(new Aim())).made.entries()) {
      assert.equal((await explorer.examine(program)).kind, 'sound', `program ${index}`);
      assert.ok(await makesSense(program), `program ${index}`);
    }
  });
});

describe('programs that head for what is rare', () => {
  it('reach more CQs that overran and more ways to fail than those that head for what is usual', async () => {
    const usual = await programs(new Aim());
    const rare = await programs(new Aim(0));
    for (const words of [/overrun/, /IBV_WC_(RNR_)?RETRY|IBV_WC_REM/]) {
      const [few, many] = [usual, rare].map(({ cells }) => [...cells].filter((key) => words.test(key)).length);
      assert.ok(few !== undefined && many !== undefined && many > 2 * few, `${words.source}: ${few} and ${many}`);
    }
  });

  it('make sense, and accuse no sound simulator', async () => {
    const explorer = new Explorer(new SimBackend(soundParts));
    for (const [index, program] of (await programs(new Aim(0))).made.entries()) {
      assert.equal((await explorer.examine(program)).kind, 'sound', `program ${index}`);
      assert.ok(await makesSense(program), `program ${index}`);
    }
  });
});

describe('an aim', () => {
  const here: Cell = { kind: 'others', state: 'here', operation: 'look', outcome: 'done' };
  const chance = new Chance(1);

  const meets = (aim: Aim) => (): Promise<void> => {
    aim.see(here);
    return Promise.resolve();
  };

  /** The names of the acts that are done, until there is none to do. */
  async function done(aim: Aim, acts: Readonly<Record<string, Act>>, scope: Scope = 'usual'): Promise<string[]> {
    const names: string[] = [];
    const told = Object.entries(acts).map(([name, act]): Act => ({
      ...act,
      make: async () => {
        names.push(name);
        await act.make();
      },
    }));
    while (names.length < 40 && (await aim.act(told, chance, scope))) continue;
    return names;
  }

  it('begins with what is usual, and heads for what is rare in every other program after that', () => {
    const aim = new Aim();
    const begun = Array.from({ length: 44 }, () => aim.begin());
    const [first, then] = [begun.slice(0, 40), begun.slice(40)];
    assert.ok(first.every((scope) => scope === 'usual'));
    assert.equal(then.filter((scope) => scope === 'rare').length, 2);
  });

  it('does an act for a cell until that was met twice, whatever else was met there', async () => {
    const aim = new Aim();
    for (let times = 0; times < 9; times++) aim.see({ ...here, outcome: 'EINVAL' });
    const make = meets(aim);
    assert.deepEqual(await done(aim, { plain: { situation: here, make } }), []);
    assert.deepEqual(await done(aim, { act: { situation: here, goals: [here], make } }), ['act', 'act']);
  });

  it('gives up an act that does not come to its cell', async () => {
    const act: Act = { situation: here, goals: [here], make: () => Promise.resolve() };
    assert.equal((await done(new Aim(), { act })).length, 4);
  });

  const plain = (aim: Aim): Act => ({ situation: here, make: meets(aim) });
  const there = { kind: 'others', state: 'there' } as const;
  const way: Act = { situation: { ...there, operation: 'a way' }, leadsTo: there, make: () => Promise.resolve() };

  /** What 40 aims do first. */
  async function firsts(scope: Scope): Promise<readonly (string | undefined)[]> {
    const names: (string | undefined)[] = [];
    for (let aims = 0; aims < 40; aims++) {
      const aim = new Aim();
      names.push((await done(aim, { way, plain: plain(aim) }, scope))[0]);
    }
    return names;
  }

  it('takes a way to another state when nothing is left here', async () => {
    const aim = new Aim();
    const names = await done(aim, { way, plain: plain(aim) });
    assert.deepEqual(names.slice(0, 5), ['plain', 'plain', 'plain', 'plain', 'way']);
  });

  it('takes one before that now and then, where a program heads for what is rare', async () => {
    assert.deepEqual(new Set(await firsts('usual')), new Set(['plain']));
    const ways = (await firsts('rare')).filter((name) => name === 'way').length;
    assert.ok(ways > 2 && ways < 25, String(ways));
  });
});

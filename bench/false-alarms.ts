/** How often a sound simulator and lawful ones are accused: `npm run bench:explore -- --lawful`. */
import type { Dut } from '../drivers/contract';
import { Explorer, type Executed, type Outcome } from '../drivers/explore/explorer';
import { Aim } from '../drivers/explore/generate/aim';
import { generate } from '../drivers/explore/generate/generate';
import { shown } from '../drivers/explore/shown';
import type { Program } from '../drivers/programs/program';
import { runProgram } from '../drivers/programs/run-program';
import { SimBackend } from '../drivers/sim/backend';
import { soundParts } from '../drivers/sim/device/device';
import { simulatedDut } from '../drivers/sim/device/dut';
import { partsOf, variants } from '../drivers/sim/lawful';
import { backendOf, triedDut } from '../drivers/sim/tried-dut';
import { textOf } from './text-of';

/** A simulator that none of its programs may accuse. */
interface Device {
  readonly name: string;
  readonly backend: SimBackend;
}

/** Devices that get the same programs and are judged alike: they say the same of themselves, and depart from the same clauses. */
interface Kind {
  readonly dut: Dut;
  readonly excused: ReadonlySet<string>;
  readonly devices: Device[];
}

/** What programs came to in all. */
class Tally {
  run = 0;
  accused = 0;
  unsure = 0;
  /** Of them, those that came to the same as on another device, whose verdict is theirs. */
  alike = 0;

  add(name: string, index: number, outcome: Outcome): void {
    this.run += 1;
    if (outcome.kind === 'inconclusive') this.unsure += 1;
    if (outcome.kind !== 'finding') return;
    this.accused += 1;
    const { oracle, difference } = outcome.finding;
    const { verb, what, expected, observed } = difference;
    console.log(
      `${name}, program ${index}: ${oracle} ${verb} ${what}: expected ${shown(expected)}, observed ${shown(observed)}`,
    );
  }
}

/** Which programs, and how many for each device. */
export interface Asked {
  readonly programs: number;
  readonly seed: number;
  /** Whether a device is among those that were asked for. */
  readonly isNamed: (name: string) => boolean;
}

export async function countAlarms({ programs, seed, isNamed }: Asked): Promise<void> {
  const tally = new Tally();
  const kinds = await kindsOf(isNamed);
  for (const kind of kinds) {
    const { dut, excused } = kind;
    const aim = new Aim(0);
    for (let index = 0; index < programs; index++) {
      const aimed = index % 2 === 1 ? { aim } : {};
      const around = { seed, capabilities: dut.capabilities, avoided: excused, ...aimed };
      await judge(kind, await generate(around, index), index, tally);
    }
  }
  const { run, accused, unsure, alike } = tally;
  const names = kinds.flatMap(({ devices }) => devices).length;
  console.log(
    `${run} programs on ${names} simulators, sound or lawful: ${accused} false alarms, ${unsure} inconclusive; ${alike} came to the same as on another of them`,
  );
}

/** The devices that were asked for, the sound one among them. */
async function kindsOf(isNamed: Asked['isNamed']): Promise<readonly Kind[]> {
  const kinds = new Map<string, Kind>();
  const all = [['sound', undefined] as const, ...Object.entries(variants)];
  for (const [name, variant] of all.filter(([one]) => isNamed(one))) {
    const parts = variant === undefined ? soundParts : partsOf([variant]);
    const dut = variant === undefined ? simulatedDut : await triedDut(backendOf(parts), () => undefined);
    const excused = [...(variant?.breaks ?? []), ...(variant?.departs ?? [])].sort();
    const key = textOf([dut, excused]);
    const kind = kinds.get(key) ?? { dut, excused: new Set(excused), devices: [] };
    kind.devices.push({ name, backend: new SimBackend(parts, undefined, dut) });
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}

/** A verdict is a function of what the runs of a program come to: what comes to the same is judged once. */
async function judge({ devices, excused }: Kind, program: Program, index: number, tally: Tally): Promise<void> {
  let first: { readonly outcome: Outcome; readonly runs: readonly Executed[] } | undefined;
  for (const { name, backend } of devices) {
    if (first?.outcome.kind === 'sound' && (await doesTheSame(backend, first.runs))) {
      tally.alike += 1;
      tally.add(name, index, first.outcome);
      continue;
    }
    const runs: Executed[] = [];
    const hear = (run: Executed): void => void runs.push(run);
    const outcome = await new Explorer(backend, { excused, hear }).examine(program);
    first ??= { outcome, runs };
    tally.add(name, index, outcome);
  }
}

async function doesTheSame(backend: SimBackend, runs: readonly Executed[]): Promise<boolean> {
  for (const { program, records } of runs) {
    try {
      const again = await runProgram(backend, program);
      await backend.end();
      if (textOf(again.records) !== textOf(records)) return false;
    } catch {
      return false; // the explorer tells what that was
    }
  }
  return runs.length > 0;
}

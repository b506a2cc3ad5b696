/**
 * How many of the faults of the simulator `verbspec explore` finds without the features, after how many programs, and by
 * which oracle; how small the programs become; how often a sound device and each lawful variant are accused:
 *
 *   npm run bench:explore                            planted faults, 250 programs each
 *   npm run bench:explore -- --programs 1000 --seed 7
 *   npm run bench:explore -- --systematic reports/out/prove/systematic.json
 *                      those of `verbspec prove --systematic=200` that are neither void nor argued
 *   npm run bench:explore -- --lawful --programs 50  false alarms
 *   npm run bench:explore -- --shrink 40             so many of the findings are made smaller
 *   npm run bench:explore -- --only NAME,NAME        these faults, or with --lawful these variants
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { SystematicProof } from '../cli/prove/systematic/systematic-proof';
import { generate } from '../drivers/explore/generate/generate';
import { Explorer, keyOf, type Finding } from '../drivers/explore/explorer';
import { shrink } from '../drivers/explore/shrink/shrink';
import { makesSense } from '../drivers/explore/sound';
import { callsOf, isCall, type Program } from '../drivers/programs/program';
import { runProgram } from '../drivers/programs/run-program';
import { SimBackend } from '../drivers/sim/backend';
import { soundParts, type Parts } from '../drivers/sim/device/device';
import { simulatedDut } from '../drivers/sim/device/dut';
import { faults, partsWith } from '../drivers/sim/faults';
import { systematicFaults } from '../drivers/sim/faults/systematic';
import { countAlarms } from './false-alarms';
import { median } from './statistics';
import { textOf } from './text-of';

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '250' },
    seed: { type: 'string', default: '1' },
    systematic: { type: 'string' },
    shrink: { type: 'string', default: '0' },
    only: { type: 'string' },
    lawful: { type: 'boolean', default: false },
  },
});
const [programs, seed, toShrink] = [values.programs, values.seed, values.shrink].map(Number) as [
  number,
  number,
  number,
];

/** Whether a fault or a variant is among those that were asked for. */
const isNamed = (name: string): boolean => values.only?.split(',').includes(name) ?? true;

/** A program, and what it comes to on the sound simulator. */
interface Sample {
  readonly program: Program;
  readonly text: string;
}

async function samples(): Promise<Sample[]> {
  const made: Sample[] = [];
  for (let index = 0; index < programs; index++) {
    const program = await generate({ seed, capabilities: simulatedDut.capabilities }, index);
    made.push({ program, text: textOf((await runProgram(new SimBackend(soundParts), program)).records) });
  }
  return made;
}

/** Makes the classes of a fault, anew for each program: they may remember. */
type Make = () => Parts;

interface Found {
  readonly after: number;
  readonly finding: Finding;
}

/** Where a fault changes nothing of what a program comes to, no oracle needs to look. */
async function changes(parts: Make, { program, text }: Sample): Promise<boolean> {
  try {
    return textOf((await runProgram(new SimBackend(parts()), program)).records) !== text;
  } catch {
    return true;
  }
}

async function find(parts: Make, pool: readonly Sample[]): Promise<Found | undefined> {
  for (const [index, sample] of pool.entries()) {
    if (!(await changes(parts, sample))) continue;
    const outcome = await new Explorer(new SimBackend(parts())).examine(sample.program);
    if (outcome.kind === 'finding') return { after: index + 1, finding: outcome.finding };
  }
  return undefined;
}

const setUp: ReadonlySet<string> = new Set([
  'ibv_open_device',
  'ibv_alloc_pd',
  'memory allocate',
  'ibv_reg_mr',
  'ibv_create_qp',
  'ibv_create_ah',
]);

/** Calls beside those that every program needs to have QPs that are connected. */
function ownCalls(program: Program): number {
  return callsOf(program).filter(({ call, args }) => !setUp.has(call) && !(call === 'ibv_modify_qp' && isBringUp(args)))
    .length;
}

const isBringUp = ({ attr }: { readonly attr?: unknown }): boolean =>
  /IBV_QPS_(INIT|RTR|RTS)/.test(JSON.stringify(attr ?? null));

async function shrunk(parts: Make, { finding }: Found): Promise<Program> {
  return shrink(finding.program, async (program) => {
    if (!(await makesSense(program))) return false;
    const outcome = await new Explorer(new SimBackend(parts())).examine(program);
    return outcome.kind === 'finding' && keyOf(outcome.finding) === keyOf(finding);
  });
}

async function recall(cases: ReadonlyMap<string, Make>): Promise<void> {
  const pool = await samples();
  const byOracle = new Map<string, number[]>();
  const sizes: number[] = [];
  const own: number[] = [];
  const missed: string[] = [];
  for (const [name, parts] of cases) {
    const found = await find(parts, pool);
    if (found === undefined) {
      missed.push(name);
      continue;
    }
    const { oracle } = found.finding;
    byOracle.set(oracle, [...(byOracle.get(oracle) ?? []), found.after]);
    if (sizes.length >= toShrink) continue;
    const small = await shrunk(parts, found);
    sizes.push(small.ops.filter(isCall).length);
    own.push(ownCalls(small));
  }
  const table = new Table({
    head: ['oracle', 'faults found', 'programs until then: median', 'most'],
    style: { head: [], border: [] },
  });
  for (const [oracle, after] of byOracle) table.push([oracle, after.length, median(after), Math.max(...after)]);
  const all = [...byOracle.values()].flat();
  if (all.length > 0) table.push(['all', all.length, median(all), Math.max(...all)]);
  console.log(table.toString());
  console.log(
    `found ${all.length} of ${cases.size} faults (${((100 * all.length) / cases.size).toFixed(1)} %) with ${programs} programs of seed ${seed}`,
  );
  console.log(`not found: ${missed.join(', ') || 'none'}`);
  if (sizes.length > 0)
    console.log(
      `of ${sizes.length} findings made smaller: ${median(sizes)} calls in the median, ${median(own)} without the set-up of QPs and memory`,
    );
}

/** The systematic faults of a proof that change something, which a page forbids. */
function breaches(path: string): ReadonlyMap<string, Make> {
  const proof = JSON.parse(readFileSync(path, 'utf8')) as SystematicProof;
  const counting = proof.faults.filter(({ verdict }) => verdict !== 'void' && verdict !== 'argued');
  const names = new Set(counting.map(({ fault }) => fault));
  const chosen = systematicFaults().filter(({ name }) => names.has(name));
  return new Map(chosen.map((fault) => [fault.name, () => fault.parts(() => undefined)]));
}

async function main(): Promise<void> {
  const startedMs = performance.now();
  const planted = Object.entries(faults).filter(([name]) => isNamed(name));
  if (values.lawful) await countAlarms({ programs, seed, isNamed });
  else if (values.systematic !== undefined) await recall(breaches(values.systematic));
  else await recall(new Map(planted.map(([name, fault]) => [name, () => partsWith(fault)])));
  const { user } = process.cpuUsage();
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s, of CPU ${(user / 1e6).toFixed(0)} s`);
}

void main();

/**
 * How many of the faults that are planted in the provider of soft-RoCE `verbspec explore` finds without the features, on a
 * real rdma_rxe in a VM: after how many programs and seconds, and by which oracle. What is found is run again without the
 * fault, where it must not show.
 *
 *   npm run bench:explore-soft-roce                     each fault for a minute at most
 *   npm run bench:explore-soft-roce -- --seconds 20 --seed 7 --kernel 6.12
 *   npm run bench:explore-soft-roce -- --only event-is-lost
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { compileShim, startShimmedVm, type ShimmedVm } from '../ci/provider-faults/shimmed-vm';
import { providerFaults } from '../ci/provider-faults';
import { executing } from '../cli/explore/device';
import { avoidedOn } from '../cli/explore/avoided-on';
import { clausesNotKept } from '../cli/explore/known';
import { programAt } from '../cli/explore/programs';
import { Explorer, type Finding } from '../drivers/explore/explorer';
import { clauseOf } from '../drivers/explore/clause-of';
import { Aim } from '../drivers/explore/generate/aim';
import { VerbsDriver } from '../drivers/pipeline/verbs-driver';
import { untilDeadline } from '../drivers/programs/run-program';
import { median } from './statistics';

const { values } = parseArgs({
  options: {
    kernel: { type: 'string', default: '6.1' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];

/** What looks for a fault, and around which clauses. */
interface Searcher {
  readonly explorer: Explorer;
  readonly avoided: ReadonlySet<string>;
}

/** What came of a fault. */
interface Search {
  readonly programs: number;
  readonly seconds: number;
  readonly finding: Finding | undefined;
}

async function main(): Promise<void> {
  const names = Object.keys(providerFaults).filter((name) => values.only === undefined || name === values.only);
  if (names.length === 0) throw new Error(`no planted fault is called ${values.only ?? ''}`);
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-bench-'));
  try {
    const shim = compileShim('provider-faults', folder, Object.keys(providerFaults));
    const vm = await startShimmedVm(values.kernel, shim, () => undefined, 'virtual');
    try {
      tell(await searchAll(vm, names));
    } finally {
      await vm.driver.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function searchAll(vm: ShimmedVm, names: readonly string[]): Promise<ReadonlyMap<string, Search>> {
  const searcher = await explorerOn(vm);
  const found = new Map<string, Search>();
  for (const name of names) {
    const search = await searchFor(vm, searcher, name);
    const { finding, programs } = search;
    found.set(name, search);
    const what = finding === undefined ? 'not found' : `${clauseOf(finding.difference)} (${finding.oracle})`;
    console.log(`${name}: ${what}, ${programs} programs, ${search.seconds.toFixed(1)} s`);
  }
  return found;
}

async function explorerOn({ driver }: ShimmedVm): Promise<Searcher> {
  if (!(driver instanceof VerbsDriver)) throw new Error('the VM has no backend');
  const { backend, limits, dut } = driver;
  const { execute } = executing('soft-roce', backend, limits.quietMs, { progress: () => undefined });
  if (execute === undefined) throw new Error('the host executes no programs');
  const excused = clausesNotKept({ driver: 'soft-roce', dut });
  const avoided = await avoidedOn(backend, untilDeadline(backend, limits.eventMs), excused, true);
  return { explorer: new Explorer(backend, { execute, excused }), avoided };
}

async function searchFor(vm: ShimmedVm, { explorer, avoided }: Searcher, fault: string): Promise<Search> {
  const startedMs = performance.now();
  const course = { avoided, aim: new Aim() };
  let programs = 0;
  const end = (finding?: Finding): Search => ({ programs, finding, seconds: (performance.now() - startedMs) / 1000 });
  while (performance.now() - startedMs < 1000 * seconds) {
    const program = await programAt(seed, programs++, explorer.dut, course, []);
    vm.choose(fault, 'toPass');
    const outcome = await explorer.examine(program);
    if (outcome.kind !== 'finding') continue;
    vm.choose(undefined, 'toPass');
    if ((await explorer.examine(program)).kind !== 'finding') return end(outcome.finding);
    console.log(`${fault}: program ${program.seed} shows something without the fault as well`);
  }
  return end();
}

function tell(searches: ReadonlyMap<string, Search>): void {
  const found = [...searches.values()].filter(({ finding }) => finding !== undefined);
  const table = new Table({
    head: ['', 'found', 'of', 'median programs', 'median s'],
    style: { head: [], border: [] },
  });
  table.push([
    `kernel ${values.kernel}, seed ${seed}`,
    found.length,
    searches.size,
    median(found.map(({ programs }) => programs)),
    median(found.map((one) => one.seconds)).toFixed(1),
  ]);
  console.log(table.toString());
  const missed = [...searches].filter(([, { finding }]) => finding === undefined).map(([name]) => name);
  if (missed.length > 0) console.log(`not found: ${missed.join(', ')}`);
}

void main();

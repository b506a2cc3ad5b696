import { parse, resolve, sep } from 'node:path';
import { oneLine } from '../../catalog/plain-text';
import type { Verdicts } from '../judge/verdicts';

/** What distinguishes runs, the most significant first; each is used only where it differs. */
const facts: readonly ((run: Verdicts) => string | undefined)[] = [
  ({ dut }) => dut.provider,
  ({ dut }) => dut.hcaId,
  ({ dut }) => named('fw', dut.fwVer),
  ({ dut }) => /^\d+\.\d+/.exec(dut.kernel ?? '')?.[0] ?? dut.kernel,
  ({ dut }) => dut.kernel,
  ({ dut }) => named('rdma-core', dut.rdmaCore),
  ({ dut }) => dut.module?.file,
  ({ dut }) => named('sha256', dut.module?.sha256.slice(0, 10)),
  ({ dut }) => dut.distribution,
  ({ suite }) => named('verbspec', suite.version),
  ({ suite }) => suite.commit.replace(/^([0-9a-f]{10})[0-9a-f]+/, '$1'),
  ({ order }) => order,
  ({ authorities }) => named('authority', authorities?.join(', ')),
];

/**
 * The shortest names that distinguish runs: the label that the user gave, or the driver; then what differs among those
 * that are still alike. Where no fact distinguishes two runs, all of that label or driver are called by their folders, or
 * else numbered.
 *
 * @param folders - where the runs lie, one each, if that is known
 */
export function runNames(runs: readonly Verdicts[], folders: readonly string[] = []): string[] {
  const drivers = runs.map(({ label, driver }) => oneLine(label ?? parse(driver).name) || 'unnamed');
  const byFacts = facts.reduce((soFar, fact) => extended(soFar, runs.map(fact)), drivers);
  const names = byFacts.map((name, index) => {
    const alike = indicesOf(drivers, drivers[index] ?? '');
    const isClear = alike.every((place) => indicesOf(byFacts, byFacts[place] ?? '').length === 1);
    const own = isClear ? undefined : folderName(index, alike, folders);
    return own === undefined ? name : [...(runs[index]?.label === undefined ? [] : [name]), own].join(' ');
  });
  return names.map((name, index) => {
    const same = indicesOf(names, name);
    return same.length === 1 ? name : `${name} run ${same.indexOf(index) + 1}`;
  });
}

function indicesOf(names: readonly string[], name: string): number[] {
  return names.flatMap((other, place) => (other === name ? [place] : []));
}

/** The end of a path that distinguishes it from others; a number alone, as the runs of `--repeat` have it, is no name. */
function folderName(index: number, alike: readonly number[], folders: readonly string[]): string | undefined {
  const paths = alike.map((place) => resolve(folders[place] ?? '').split(sep));
  if (folders[index] === undefined || new Set(paths.map((path) => path.join(sep))).size < alike.length)
    return undefined;
  const longest = Math.max(...paths.map(({ length }) => length));
  for (let count = 1; count <= longest; count++) {
    const ends = paths.map((path) => path.slice(-count).join('/'));
    const isNamed = ends.every((end) => !/^\d+$/.test(end));
    if (isNamed && new Set(ends).size === ends.length) return oneLine(ends[alike.indexOf(index)] ?? '');
  }
  return undefined;
}

/** The names, with a fact after those that it distinguishes. */
function extended(names: readonly string[], values: readonly (string | undefined)[]): string[] {
  return names.map((name, index) => {
    const alike = values.filter((_, place) => names[place] === name);
    const own = oneLine(values[index] ?? '');
    return new Set(alike).size > 1 && own !== '' ? `${name} ${own}` : name;
  });
}

function named(name: string, value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === 'none' ? undefined : `${name} ${value}`;
}

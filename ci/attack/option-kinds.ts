import { declaredOptions, type DeclaredOption } from './options';
import { rule } from './expect';
import type { Scratch } from './scratch';

/** What an option takes, which says what can be wrong with it. */
export type OptionKind =
  'flag' | 'count' | 'choice' | 'name' | 'json-file' | 'file' | 'folder' | 'module' | 'output-folder' | 'output-file';

/** The kind of each option. A new one is added here, and gets the tries of its kind. */
const kinds: Readonly<Record<string, Readonly<Record<string, OptionKind>>>> = {
  run: {
    '--driver': 'module',
    '--ib-dev': 'name',
    '--ib-port': 'count',
    '--gid-index': 'count',
    '--mtu': 'count',
    '--kernel': 'name',
    '--module': 'file',
    '--rdma-core': 'folder',
    '--vm-time': 'choice',
    '--host': 'name',
    '--fault': 'name',
    '--profile': 'name',
    '--variant': 'name',
    '--network': 'name',
    '--expect-capabilities': 'json-file',
    '--proof': 'json-file',
    '--redact': 'flag',
    '--deviations': 'json-file',
    '--order': 'choice',
    '--authority': 'choice',
    '--repeat': 'count',
    '--until-fail': 'flag',
    '--verbose': 'flag',
    '--again': 'json-file',
    '--label': 'name',
    '--history': 'folder',
    '--out': 'output-folder',
  },
  rules: { '--json': 'flag', '--authority': 'choice', '--run': 'json-file', '--check': 'flag' },
  show: { '--json': 'flag' },
  faults: { '--json': 'flag' },
  devices: { '--json': 'flag' },
  'spec-book': { '--man': 'folder', '--check': 'flag', '--out': 'output-folder' },
  report: { '--out': 'output-folder' },
  doctor: { '--ib-dev': 'name', '--json': 'flag' },
  prove: {
    '--json': 'flag',
    '--out': 'output-folder',
    '--jobs': 'count',
    '--faults': 'module',
    '--accept': 'flag',
    '--full': 'flag',
    '--systematic': 'count',
    '--lawful': 'flag',
    '--seed': 'count',
    '--shard': 'choice',
  },
  compare: {
    '--format': 'choice',
    '--out': 'output-file',
    '--all': 'flag',
    '--any-suite': 'flag',
    '--against': 'name',
    '--by': 'choice',
  },
  explore: {
    '--driver': 'module',
    '--ib-dev': 'name',
    '--ib-port': 'count',
    '--gid-index': 'count',
    '--kernel': 'name',
    '--module': 'file',
    '--deterministic': 'count',
    '--fault': 'name',
    '--profile': 'name',
    '--variant': 'name',
    '--seed': 'count',
    '--for': 'choice',
    '--programs': 'count',
    '--replay': 'json-file',
    '--minimise': 'json-file',
    '--ledger': 'flag',
    '--coverage': 'flag',
    '--edges': 'json-file',
    '--emit': 'choice',
    '--corpus': 'folder',
    '--out': 'output-folder',
  },
  gate: {
    '--baseline': 'json-file',
    '--update': 'flag',
    '--selected': 'flag',
    '--any-dut': 'flag',
    '--others': 'folder',
    '--junit': 'output-file',
    '--ktap': 'output-file',
    '--markdown': 'output-file',
    '--github': 'flag',
  },
  reproduce: { '--any': 'flag', '--out': 'output-file' },
  'new-page': { '--family': 'name', '--man': 'folder', '--features': 'folder' },
  tie: { '--man': 'folder', '--features': 'folder' },
};

/** What stands on the command line beside the option that is tried, so that nothing else is wrong. */
const beside: Readonly<Record<string, readonly string[]>> = {
  run: [rule],
  report: ['earlier'],
  compare: ['earlier'],
  gate: ['earlier', '--selected', '--baseline', 'base.json'],
  prove: [rule],
  reproduce: ['earlier', 'Two CQEs after one request add one event', '--any'],
  explore: ['--programs', '1'],
  'new-page': ['ibv_alloc_pd', '--family', 'pd', '--features', '.'],
  tie: ['--features', '.'],
};

/** What `verbspec tie` ties. */
const clause = {
  id: 'ibv_alloc_pd.signature',
  section: 'SYNOPSIS',
  authority: 'page',
  level: 'info',
  testable: 'loopback',
};

/** Drivers that have use for options which the simulator refuses whatever their value. */
const driverOf: Readonly<Record<string, readonly string[]>> = {
  '--kernel': ['--driver', 'soft-roce'],
  '--module': ['--driver', 'soft-roce'],
  '--rdma-core': ['--driver', 'hca', '-d', 'none'],
  '--vm-time': ['--driver', 'soft-roce', '--kernel', '6.1'],
  '--host': ['--driver', 'hca', '-d', 'none'],
  '--ib-dev': ['--driver', 'hca'],
};

/** An option with its kind. */
export interface TriedOption extends DeclaredOption {
  readonly kind: OptionKind;
}

/** All options whose kind is known; {@link optionsWithoutKind} names the others. */
export function optionsOfKind(...wanted: readonly OptionKind[]): TriedOption[] {
  return declaredOptions().flatMap((option) => {
    const kind = kinds[option.command]?.[option.flag];
    return kind !== undefined && wanted.includes(kind) ? [{ ...option, kind }] : [];
  });
}

/** Options that get no tries because nobody has said what they take. */
export function optionsWithoutKind(options: readonly DeclaredOption[] = declaredOptions()): DeclaredOption[] {
  return options.filter(({ command, flag }) => kinds[command]?.[flag] === undefined);
}

/** A command line with the option at its end. */
export function commandWith({ command, flag }: DeclaredOption, ...value: readonly string[]): string[] {
  const driver = command === 'doctor' ? ['hca'] : (driverOf[flag] ?? []);
  return [command, ...(beside[command] ?? []), ...driver, flag, ...value];
}

/** Makes what the other arguments of {@link commandWith} name. */
export function prepareBeside(scratch: Scratch, { command }: DeclaredOption): void {
  if (command === 'tie') scratch.write('ibv_alloc_pd.clauses.json', JSON.stringify([clause]));
  if (!['report', 'compare', 'gate', 'reproduce'].includes(command)) return;
  scratch.run('earlier');
  if (command === 'gate') scratch.baseline('base.json', 'earlier');
}

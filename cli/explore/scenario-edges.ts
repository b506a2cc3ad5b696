import { UsageError } from '../../drivers/contract';
import { chooseModule } from '../../drivers/vm/kernels/module-file';
import type { ScenarioEdges } from '../../reports/cell-coverage/edges';
import { parseEdges } from '../../reports/cell-coverage/edges-file';
import { readNamedFile, resultsBytesMax } from '../inputs/read-file';

/** What is asked of the edges of a kernel module. */
interface EdgeOptions {
  /** The file of a run that says which of them scenarios reach. */
  readonly edges?: string;
  readonly coverage: boolean;
  readonly module?: string;
}

/**
 * The edges that scenarios have reached, as the user has named them.
 *
 * @throws UsageError if they are not those of the module, or nobody would see them
 */
export function scenarioEdges({ edges: path, coverage, module }: EdgeOptions): ScenarioEdges | undefined {
  if (path === undefined) return undefined;
  if (!coverage) throw new UsageError('--edges is shown on the page of --coverage', 'add --coverage');
  const name = `--edges ${path}`;
  if (module === undefined) {
    throw new UsageError('--edges takes a --module that records its edges', 'name the module of that run');
  }
  const { file } = chooseModule(module);
  if (file?.functions === undefined) {
    throw new UsageError(`${module} records no edges`, 'build it with ci/kernel-module.sh --edges');
  }
  const text = readNamedFile(path, resultsBytesMax, name, 'name the edges.json of a run');
  return parseEdges(text, name, file.dutModule);
}

import { UsageError, type DutModule, type ModuleEdges } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import type { ScenarioEdges } from './edges';
import schema from './edges.schema.json';

/** Which edges of a kernel module the scenarios of a run have reached; the members are explained in edges.schema.json. */
interface EdgesFile {
  readonly schemaVersion: 1;
  readonly suite: string;
  readonly scenarios: number;
  readonly module: DutModule;
  readonly edges: number;
  readonly reached: number;
  readonly functions: readonly {
    readonly file: string;
    readonly name: string;
    readonly edges: readonly { readonly at: number; readonly line: number; readonly reached: boolean }[];
  }[];
}

const assertEdges: SchemaAssertion<EdgesFile> = schemaAssertion<EdgesFile>(schema);

/** What the file is called among the results of a run. */
export const edgesName = 'edges.json';

const remedy = 'name the edges.json of a run with --module, the file that is loaded now';

/** What a run has reached, as it is written to a file. */
export function edgesText({ module, functions, reached }: ModuleEdges, suite: string, scenarios: number): string {
  const marked = functions.map(({ file, name, edges }) => ({
    file,
    name,
    edges: edges.map(({ at, line }) => ({ at, line, reached: reached.has(at) })),
  }));
  const edges = marked.reduce((sum, one) => sum + one.edges.length, 0);
  const file: EdgesFile = {
    schemaVersion: 1,
    suite,
    scenarios,
    module,
    edges,
    reached: reached.size,
    functions: marked,
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

/**
 * Reads what a run has reached.
 *
 * @param name - what the file is called
 * @param module - that which is loaded now: another one has other edges, though it may have the same name
 * @throws UsageError if it is not such a file, or of another module
 */
export function parseEdges(json: string, name: string, module: DutModule): ScenarioEdges {
  const { scenarios, module: its, functions } = checked(json, name);
  if (its.sha256 !== module.sha256) {
    const theirs = `${its.file} (sha256 ${its.sha256.slice(0, 10)})`;
    const ours = `${module.file} (sha256 ${module.sha256.slice(0, 10)})`;
    throw new UsageError(oneLine(`${name} is of the module ${theirs}, and --module is ${ours}`), remedy);
  }
  const edges = functions.flatMap((one) => one.edges);
  return { scenarios, reached: new Set(edges.filter((edge) => edge.reached).map(({ at }) => at)) };
}

function checked(json: string, name: string): EdgesFile {
  try {
    const data: unknown = JSON.parse(json);
    assertEdges(data, name);
    return data;
  } catch (error) {
    const why = error instanceof SyntaxError ? `${name} is not valid JSON` : (error as Error).message;
    throw new UsageError(oneLine(why), remedy);
  }
}

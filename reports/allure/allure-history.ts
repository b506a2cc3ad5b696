import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { makeFolder, readTextFile } from '../../drivers/support/files';
import { embeddedFile } from './allure-page';
import { oneLine } from '../../catalog/plain-text';
import { schemaCheck } from '../../catalog/schema';

const results = {
  type: 'object',
  additionalProperties: { type: 'object', required: ['items'], properties: { items: { type: 'array' } } },
};
const trend = {
  type: 'array',
  items: {
    type: 'object',
    required: ['data'],
    properties: { buildOrder: { type: 'integer', minimum: 0 }, data: { type: 'object' } },
  },
};

/** What Allure remembers of earlier runs, the results of each scenario and the trend of their outcomes, and its shape. */
const shapes = new Map([
  ['history.json', schemaCheck(results)],
  ...['history-trend.json', 'duration-trend.json', 'categories-trend.json', 'retry-trend.json'].map(
    (name) => [name, schemaCheck(trend)] as const,
  ),
]);

/** The memory of earlier runs, a folder of the user's that each run reads and renews. */
export class AllureHistory {
  readonly #folder: string;
  readonly #contents: ReadonlyMap<string, string>;

  /**
   * @param folder - it is made if it is not there
   * @param show - what a text of JSON looks like to others: earlier runs may have hidden nothing
   * @throws UsageError if it cannot be read, written, or holds what is not a history
   */
  constructor(
    folder: string,
    readonly show: (json: string) => string = (json) => json,
  ) {
    this.#folder = folder;
    this.#make();
    this.#contents = new Map([...shapes.keys()].flatMap((name) => this.#read(name)));
  }

  /** How many runs there were before, as Allure counts them. */
  get runs(): number {
    const [last] = JSON.parse(this.#contents.get('history-trend.json') ?? '[]') as readonly { buildOrder?: number }[];
    return last?.buildOrder ?? 0;
  }

  /** Puts the history where Allure looks for it. */
  copyTo(resultsDir: string): void {
    const target = join(resultsDir, 'history');
    mkdirSync(target, { recursive: true });
    for (const [name, content] of this.#contents) writeFileSync(join(target, name), this.show(content));
  }

  /**
   * Renews the history from a report that has this run in it.
   *
   * @throws HarnessError if it cannot be written
   */
  renewFrom(reportPath: string): void {
    const html = readFileSync(reportPath, 'utf8');
    try {
      for (const name of shapes.keys()) this.#write(name, embeddedFile(html, `history/${name}`));
    } catch (error) {
      throw new HarnessError(`the history in ${this.#folder} cannot be written: ${(error as Error).message}`);
    }
  }

  /** Makes the folder, and shows that a run can write there before it has something to write. */
  #make(): void {
    const folder = this.#folder;
    try {
      makeFolder(folder);
    } catch (error) {
      throw new UsageError(`--history ${folder} cannot be made: ${(error as Error).message}`, 'name another folder');
    }
    const probe = join(folder, `.probe.${process.pid}`);
    try {
      writeFileSync(probe, '');
      rmSync(probe);
    } catch (error) {
      throw new UsageError(`--history ${folder} cannot be written: ${(error as Error).message}`, 'name another folder');
    }
  }

  /** A run that is killed leaves a file old or new, never half. */
  #write(name: string, content: string | undefined): void {
    if (content === undefined) return;
    const path = join(this.#folder, name);
    const partial = `${path}.${process.pid}`;
    writeFileSync(partial, content);
    renameSync(partial, path);
  }

  #read(name: string): [string, string][] {
    const path = join(this.#folder, name);
    try {
      const content = readTextFile(path);
      const [departure] = shapes.get(name)?.(JSON.parse(content)) ?? [];
      if (departure !== undefined) throw new Error(`${departure.path} ${departure.text}`.trim());
      return [[name, content]];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      const why = oneLine((error as Error).message);
      throw new UsageError(`${path} is not a history of Allure: ${why}`, 'remove that file, or name another folder');
    }
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { dutFacts } from '../evidence/dut-text';
import { pageViews, type PageView } from './book';
import type { BookInput } from './book-input';
import { countEffectsNotShown } from '../evidence/effect-note';
import { coverageOf, levels, total, verdictCounts } from './coverage';
import { editionsOf } from '../../catalog/ties';
import { runNames } from '../evidence/run-names';
import { plainText, printableJson } from '../../catalog/plain-text';
import { gherkinLines } from './gherkin-lines';
import { searchEntries } from './search-data';

/** Verdicts as readers see them, where they are not called so already. */
const words: Readonly<Record<string, string>> = {
  'not-applicable': 'not applicable',
  'not-run': 'not run',
  untested: 'no scenario',
};

/** No control character of a device, a run or a man page reaches a page. */
const plainPages = {
  autoFilter: true,
  filterFunction: (value: unknown) => plainText(String(value)),
};

const assets = ['book.css', 'book.js', 'search.js'];

/** The files of a spec book by name: a static site that needs neither server nor network. */
export function renderBook(input: BookInput): ReadonlyMap<string, string> {
  const eta = new Eta({ ...plainPages, views: join(__dirname, 'templates'), cache: true, autoTrim: false });
  const pages = pageViews(input);
  const common = {
    names: pages.map(({ name }) => name),
    suite: input.suite,
    edition: input.edition,
    editionOfRules: editionsOf(input.ties),
    gherkin: gherkinLines,
    word: (verdict: string) => words[verdict] ?? verdict,
  };
  const render = (template: string, data: object): string => eta.render(template, { ...common, ...data });
  return new Map([
    ['index.html', render('./index', indexData(input, pages))],
    ...pages.map((page) => [`${page.name}.html`, render('./page', pageData(page))] as const),
    ...assets.map((name) => [name, readFileSync(join(__dirname, 'assets', name), 'utf8')] as const),
    ['minisearch.js', readFileSync(miniSearchPath(), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')],
    ['search-data.js', `const searchEntries = ${printableJson(searchEntries(pages))};\n`],
  ]);
}

function indexData({ runs, folders }: BookInput, pages: readonly PageView[]): object {
  const coverage = pages.map(coverageOf);
  const duts = runNames(runs, folders).map((name, index) => ({
    name,
    facts: runs
      .slice(index, index + 1)
      .flatMap(({ dut, startedAt, suite }) => [
        ...dutFacts(dut),
        `run of ${startedAt} by verbspec ${suite.version} (${suite.commit.slice(0, 10)})`,
      ])
      .join(', '),
    counts: verdictCounts(pages, index),
    effectsNotShown: countEffectsNotShown(runs.slice(index, index + 1).flatMap(({ rules }) => rules)),
  }));
  return { title: 'Spec book of libibverbs', isIndex: true, pages, levels, coverage, total: total(coverage), duts };
}

function pageData(page: PageView): object {
  return { title: `${page.name}(3) - spec book of libibverbs`, name: page.name, page, coverage: coverageOf(page) };
}

/** The build of MiniSearch that browsers run. */
function miniSearchPath(): string {
  return join(require.resolve('minisearch'), '..', '..', 'umd', 'index.js');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { plainText } from '../../catalog/plain-text';
import { shellWord } from '../evidence/again';
import { deviationEntries } from './list-entries';
import { causeViews } from './cause-view';
import { headlineOf, standingOf, standingWords } from './headline';
import type { PageInput } from './page-input';
import { ruleViews, type RuleViews } from './rule-view';

/** What the page is called among the results of a run. */
export const runPageName = 'index.html';

const asset = (name: string): string => readFileSync(join(__dirname, 'assets', name), 'utf8');

/** No control character of a device or a run reaches the page, and all that they say is text. */
const plainPage = {
  autoEscape: true,
  autoFilter: true,
  filterFunction: (value: unknown) => plainText(String(value)),
};

/** The page of a run: one file that needs neither server nor network. */
export function renderRunPage(input: PageInput): string {
  const eta = new Eta({ ...plainPage, views: join(__dirname, 'templates'), cache: true, autoTrim: 'nl' });
  const causes = causeViews(input.causes);
  const rules = ruleViews(input, causes);
  return eta.render('./page', {
    headline: headlineOf(input),
    words: standingWords,
    standingOf,
    causes,
    ...rules,
    told: toldOf(rules),
    notApplicable: input.judged.scenarios.filter(({ verdict }) => verdict === 'not-applicable'),
    list: deviationEntries(input.judged.verdicts),
    rules: input.judged.verdicts.rules,
    files: filesOf(input),
    commands: commandsOf(input),
    style: asset('run-page.css'),
    script: asset('run-page.js'),
  });
}

/** The ids of rules that the page tells of at length, to which a list can lead. */
function toldOf({ failures, deviations }: RuleViews): ReadonlySet<string> {
  return new Set([...failures, ...deviations].flatMap(({ ids }) => ids));
}

/** What there is beside the page, and what it is for. */
const fileWords: readonly (readonly [path: string, words: string])[] = [
  ['allure-report/index.html', 'Allure report: every scenario with its steps and calls'],
  ['verdicts.json', 'verdicts, for programs'],
  ['causes.json', 'causes, for programs'],
  ['failures.json', 'what failed, as entries for a list of deviations'],
  ['junit.xml', 'JUnit, for CI systems'],
  ['results.ktap', 'KTAP, for kernel CI'],
  ['trace/', 'the calls of each scenario, as JSON and C'],
  ['kernel.log', 'messages of the kernel'],
  ['messages.ndjson', 'the record of Cucumber'],
];

function filesOf({ files }: PageInput): (readonly [string, string])[] {
  return fileWords.filter(([path]) => files.includes(path));
}

function commandsOf({ folder }: PageInput): (readonly [string, string])[] {
  const run = shellWord(folder);
  return [
    [`npx verbspec spec-book ${run}`, 'the man pages with these verdicts beside their sentences'],
    [`npx verbspec gate --baseline baseline.json --update ${run}`, 'record what the device does today as a baseline'],
    [`npx verbspec gate --baseline baseline.json ${run}`, 'compare with a baseline'],
    [`npx verbspec compare ${run} OTHER`, 'compare with another run, rule by rule'],
    [`npx verbspec report ${run}`, 'make the Allure report again'],
  ];
}

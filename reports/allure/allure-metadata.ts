import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Category } from 'allure-js-commons/sdk';
import { Status, type Label, type Link } from 'allure-js-commons';
import { apiFamily } from './api-family';
import { strongestOf } from '../../catalog/authority';
import type { Clause, ClauseLevel } from '../../catalog/clauses';
import { moduleText } from '../evidence/dut-text';
import { headings, listHeadings } from '../evidence/explain';
import type { Cause } from '../diagnosis/causes';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';
import type { Reckoning } from '../judge/match-deviations';
import { oneLine } from '../../catalog/plain-text';
import type { RunInfo } from '../judge/verdicts';

/** The status that Allure shows for each verdict; a known deviation is neither a pass nor news. */
export const statusOf: Record<JudgedScenario['verdict'], Status> = {
  pass: Status.PASSED,
  fail: Status.FAILED,
  crash: Status.FAILED,
  hang: Status.FAILED,
  panic: Status.FAILED,
  surprise: Status.FAILED,
  deviates: Status.SKIPPED,
  'not-applicable': Status.SKIPPED,
  blocked: Status.BROKEN,
  broken: Status.BROKEN,
};

const severities: Record<ClauseLevel, string> = {
  must: 'critical',
  should: 'normal',
  may: 'minor',
  info: 'trivial',
};

/** Categories of the report, which sort results by how their message begins. */
export const categories: Category[] = [
  ...(['panic', 'crash', 'hang', 'fail', 'surprise', 'blocked', 'broken', 'deviates', 'not-applicable'] as const).map(
    (verdict) => category(headings[verdict], statusOf[verdict]),
  ),
  ...Object.values(listHeadings).map((heading) => category(heading, Status.FAILED)),
];

function category(heading: string, status: Status): Category {
  return { name: heading, messageRegex: `${heading}: [\\s\\S]*`, matchedStatuses: [status] };
}

/** What stands before the part of a message that says what a failure looks like; reports sort by it. */
const causeHeading = '; cause: ';

/** A category for each cause, before those of the verdicts: a result is in both. */
export function causeCategories(causes: readonly Cause[]): Category[] {
  const titles = new Set(causes.map(({ title }) => title)); // the same may fail one scenario and block another
  return [...titles].map((title) => ({
    name: capitalized(title),
    messageRegex: `[\\s\\S]*${causeHeading}${quotedForRegex(title)}`,
    matchedStatuses: [Status.FAILED, Status.BROKEN],
  }));
}

/** What is to stand at the end of the message of a scenario that a cause explains. */
export function causeWords({ title }: Cause): string {
  return `${causeHeading}${title}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text as a regular expression of Java. */
function quotedForRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The labels of a scenario: API family / man page / rule, for the behaviours as for the suites of a driver. */
export function labelsOf({ recorded, clauseIds }: JudgedScenario, clauses: readonly Clause[], driver: string): Label[] {
  const family = apiFamily(recorded.uri);
  const page = pageOf(recorded, clauses);
  const story = recorded.place?.rule?.name ?? recorded.name;
  const note = clauses.some(({ effectNotShown }) => effectNotShown !== undefined) ? ['effect-not-shown'] : [];
  const authority = strongestOf(clauses.map((clause) => clause.authority));
  const other = authority === undefined || authority === 'page' ? [] : [`authority-${authority}`];
  const tags = [...clauseIds, ...scenarioTags(recorded), ...note, ...other];
  return [
    { name: 'epic', value: family },
    { name: 'feature', value: page },
    { name: 'story', value: story },
    { name: 'parentSuite', value: driver },
    { name: 'suite', value: page },
    { name: 'subSuite', value: story },
    { name: 'severity', value: severityOf(clauses) },
    ...(authority === undefined ? [] : [{ name: 'authority', value: authority }]),
    { name: 'framework', value: 'verbspec' },
    { name: 'language', value: 'gherkin' },
    ...tags.map((value) => ({ name: 'tag', value })),
  ];
}

/** Family, page and rule, as the tree of a report that knows no labels. */
export function titlePathOf({ recorded }: JudgedScenario, clauses: readonly Clause[]): string[] {
  return [apiFamily(recorded.uri), pageOf(recorded, clauses), recorded.place?.rule?.name ?? ''].filter(Boolean);
}

/** The man page, and the evidence of the deviation that applies. */
export function linksOf({ match }: JudgedScenario, clauses: readonly Clause[]): Link[] {
  const pages = [...new Set(clauses.map((clause) => clause.page))].filter((page) => page.startsWith('ibv_'));
  const manPages = pages.map((page) => ({
    type: 'link',
    name: `${page}(3)`,
    url: `https://man7.org/linux/man-pages/man3/${page}.3.html`,
  }));
  return match ? [...manPages, deviationLink(match)] : manPages;
}

/** The evidence of a listed deviation. */
export function deviationLink({ deviation }: Reckoning): Link {
  return { type: 'issue', name: 'Known deviation', url: deviation.link };
}

/**
 * Names of a scenario that no other one has, not even its namesake under another Rule or the next row of its table.
 * Results of several drivers stand side by side in one report, so the history has the driver in it; the test case has not.
 */
export function identityOf({ recorded, clauseIds }: JudgedScenario, driver: string): Record<IdentityKey, string> {
  const row = recorded.row?.cells.map(({ name, value }) => `${name}=${value}`).join(', ');
  const sameRows = recorded.row ? `[${row}]@${rowOrdinal(recorded)}` : '';
  const rule = clauseIds.join('+') || (recorded.place?.rule?.name ?? '');
  const fullName = [basename(recorded.uri), rule, recorded.name + sameRows].join('#');
  return { fullName, testCaseId: md5(fullName), historyId: md5(`${driver}#${fullName}`) };
}

type IdentityKey = 'fullName' | 'testCaseId' | 'historyId';

/** Which row of its outline it is, from 1: rows may be equal, and lines move when a feature is edited. */
function rowOrdinal({ place, line }: JudgedScenario['recorded']): number {
  const rows = place?.scenario.examples.flatMap((examples) => examples.tableBody) ?? [];
  return rows.findIndex((row) => row.location.line === line) + 1;
}

/** The device under test and the suite as readable keys; the front page shows the first five only. */
export function allureEnvironmentOf({ recording, problems }: JudgedRun): Record<string, string> {
  const { suite, driver, dut }: RunInfo = recording.info;
  const { hcaId, profile, provider, kernel, rdmaCore, modules = [], taint, ...others } = dut;
  const behaves = profile && `${profile.name} (${profile.basis})`;
  const first = { driver, profile: behaves, hcaId, provider, kernel, rdmaCore, taint: taint?.reasons };
  const entries = flatten({ ...first, ...others }, []);
  return {
    ...Object.fromEntries(entries.map(([path, value]) => [readableKey(path), value])),
    ...Object.fromEntries(modules.map((module) => [`Module ${module.name}`, moduleText(module)])),
    Suite: `verbspec ${suite.version} (${suite.commit})`,
    ...Object.fromEntries(problems.map((problem, index) => [`Problem ${index + 1}`, problem])),
  };
}

function flatten(value: unknown, path: readonly string[]): [readonly string[], string][] {
  if (Array.isArray(value)) return [[path, value.length === 0 ? 'none' : value.join(', ')]];
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => flatten(member, [...path, key]));
  }
  if (typeof value === 'string') return value === '' ? [] : [[path, oneLine(value)]];
  return value === undefined ? [] : [[path, JSON.stringify(value)]];
}

/** `port.activeMtu` becomes `Port active MTU`. */
function readableKey(path: readonly string[]): string {
  const words = path.flatMap((key) =>
    key
      .replace(/([A-Z])/g, ' $1')
      .toLowerCase()
      .split(' '),
  );
  const text = words.map((word) => acronyms.get(word) ?? word).join(' ');
  return knownKeys.get(text) ?? text.charAt(0).toUpperCase() + text.slice(1);
}

const acronyms = new Map(['MTU', 'GID', 'GUID', 'HCA'].map((acronym) => [acronym.toLowerCase(), acronym]));

const knownKeys = new Map([
  ['HCA id', 'Device'],
  ['fw ver', 'Firmware'],
  ['hw ver', 'Hardware version'],
  ['phys port cnt', 'Physical ports'],
  ['port port num', 'Port'],
  ['port netdev', 'Network interface'],
  ['rdma core', 'rdma-core'],
]);

function pageOf(recorded: JudgedScenario['recorded'], clauses: readonly Clause[]): string {
  const page = clauses[0]?.page;
  return page === undefined ? (recorded.place?.feature.name ?? recorded.uri) : `${page}(3)`;
}

function scenarioTags({ place }: JudgedScenario['recorded']): string[] {
  return place?.scenario.tags.map((tag) => tag.name.slice(1)) ?? [];
}

/** The most binding of the clauses decides. */
function severityOf(clauses: readonly Clause[]): string {
  const levels = Object.keys(severities) as ClauseLevel[];
  const level = levels.find((candidate) => clauses.some((clause) => clause.level === candidate));
  return level === undefined ? 'normal' : severities[level];
}

/** The name of something in the history of reports. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

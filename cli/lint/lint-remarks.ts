import { basename } from 'node:path';
import { clauseIdsOf, type Clauses } from '../../catalog/clauses';
import type { Variants } from '../../drivers/sim/lawful/variant';
import { rulesIn, type FeatureFile } from '../inputs/features';
import type { LintFinding } from './finding';

/** Words by which a remark says that a page leaves a device free. */
const leavingOpen = [
  /\bpage\b[^.]*\b(does not (say|name|speak)|leaves|says nothing|lets no program see)\b/,
  /\b(no|none|nor does the) page\b/i,
  /\bNone says\b/,
  /\b(device|CQ|responder|QP)\b[^.]*\bmay (refuse|lack|raise|get|take)\b/,
  /\bthe vendor's\b/,
  /\bdepends on\b/,
  /\bdemanded nowhere\b/,
  /\bof which only\b/,
];

/** Remarks that leave something open of which no lawful variant makes use, and uses of remarks that are not there. */
export function remarkFindings(files: readonly FeatureFile[], clauses: Clauses, variants: Variants): LintFinding[] {
  const used = new Set(Object.values(variants).flatMap(({ uses = [] }) => uses));
  return [...files.flatMap((file) => unusedIn(file, used)), ...strayUses(files, clauses, variants)];
}

function unusedIn({ uri, document }: FeatureFile, used: ReadonlySet<string>): LintFinding[] {
  const page = basename(uri, '.feature');
  const feature = document?.feature;
  const holders = [
    ...(feature ? [{ description: feature.description, line: feature.location.line, ids: [page] }] : []),
    ...rulesIn(feature).map(({ description, location: { line }, tags }) => ({
      description,
      line,
      ids: clauseIdsOf(tags),
    })),
  ];
  return holders
    .filter(({ description, ids }) => leavesOpen(description) && !ids.some((id) => used.has(id)))
    .map(({ line, ids }) => ({
      uri,
      line,
      page,
      text: `the remark on ${ids.join(', ')} leaves something open, and no lawful variant uses it; write one in drivers/sim/lawful`,
    }));
}

function leavesOpen(description: string): boolean {
  const text = description.replace(/\s+/g, ' ');
  return leavingOpen.some((words) => words.test(text));
}

/** Of pages without features here nothing can be said. */
function strayUses(files: readonly FeatureFile[], clauses: Clauses, variants: Variants): LintFinding[] {
  const pages = files.map(({ uri }) => basename(uri, '.feature'));
  return Object.entries(variants).flatMap(([name, { uses = [], breaks = [], departs = [] }]) =>
    [...uses, ...breaks, ...departs]
      .filter((id) => !clauses.has(id) && !pages.includes(id) && pages.includes(id.replace(/\..*/, '')))
      .map((id) => ({ uri: 'drivers/sim/lawful', line: 1, text: `variant ${name} names ${id}, which no clause is` })),
  );
}

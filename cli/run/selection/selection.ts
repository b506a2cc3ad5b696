import { basename, isAbsolute, join, relative } from 'node:path';
import { nearest, UsageError } from '../../../drivers/contract';
import { strongestOf, type Authority } from '../../../catalog/authority';
import { root } from '../../common/project';
import type { FeatureRule, Specification } from '../../inputs/features';

/**
 * Feature paths for Cucumber from what the user named: clause ids (`ibv_poll_cq.overrun-async-event`), pages
 * (`ibv_poll_cq`) and paths of feature files, with or without lines.
 *
 * @throws {@link UsageError} naming the first that does not exist, or has nothing to run
 */
export function selectPaths(selectors: readonly string[], specification: Specification): string[] {
  if (selectors.length === 0) return [...specification.paths];
  return selectors.flatMap((selector) => selectOne(selector, specification));
}

/**
 * A tag expression for Cucumber that selects the rules of some authorities, among whatever else is selected. A Rule with
 * several clauses has the strongest of their authorities.
 *
 * @throws {@link UsageError} naming the first selector that leaves none
 */
export function selectAuthorities(
  wanted: readonly Authority[],
  selectors: readonly string[],
  { rules, clauses }: Specification,
): string {
  const authorityOf = ({ ids }: FeatureRule): Authority | undefined =>
    strongestOf(ids.flatMap((id) => clauses.get(id)?.authority ?? []));
  const chosen = rules.filter((rule) => wanted.some((authority) => authority === authorityOf(rule)));
  const without = selectors.find((selector) => rules.some(named(selector)) && !chosen.some(named(selector)));
  if (without !== undefined || chosen.length === 0) {
    const where = without === undefined ? '' : ` of "${without}"`;
    throw new UsageError(
      `no rule${where} has the authority ${wanted.join(' or ')}`,
      '`verbspec rules` lists what each has',
    );
  }
  return chosen
    .flatMap(({ ids }) => ids.slice(0, 1))
    .map((id) => `@${id}`)
    .join(' or ');
}

/** Whether a selector names the rule, or all of its page; lines of a feature may be anything. */
function named(selector: string): (rule: FeatureRule) => boolean {
  const path = withinProject(selector);
  return ({ ids, uri }) =>
    uri === path || basename(uri, '.feature') === selector || ids.includes(selector.replace(/^@/, ''));
}

function selectOne(selector: string, { paths, rules, clauses }: Specification): string[] {
  const [path = '', ...lines] = selector.split(':');
  const uri = paths.find((own) => own === withinProject(path));
  if (uri !== undefined) return [[uri, ...lines].join(':')];
  const page = paths.find((own) => basename(own, '.feature') === selector);
  if (page !== undefined) return [page];
  const id = selector.replace(/^@/, '');
  const matching = rules.filter(({ ids }) => ids.includes(id));
  if (matching.length === 0 && !clauses.has(id)) throw unknown(selector, { paths, clauses });
  const shown = matching.filter(({ scenarios }) => scenarios.length > 0);
  if (shown.length === 0) throw untested(selector, clauses.get(id)?.untested);
  return shown.map((rule) => [rule.uri, ...rule.scenarios.map(({ line }) => line)].join(':'));
}

function withinProject(path: string): string {
  return relative(root, isAbsolute(path) ? path : join(process.cwd(), path));
}

/** Without its lines, the path would select the whole feature. */
function untested(selector: string, reason = '`verbspec rules --check` says what is missing'): UsageError {
  return new UsageError(`rule "${selector}" has no scenario to run: ${reason}`);
}

function unknown(selector: string, { paths, clauses }: Pick<Specification, 'paths' | 'clauses'>): UsageError {
  const pages = paths.map((path) => basename(path, '.feature'));
  const near = nearest(selector.replace(/^@/, ''), [...clauses.keys(), ...pages]);
  return new UsageError(
    `there is no rule, page or feature "${selector}"`,
    near === undefined ? '`verbspec rules` lists the rules' : `did you mean ${near}?`,
  );
}

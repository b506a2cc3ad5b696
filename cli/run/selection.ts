import { basename, isAbsolute, join, relative } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { root } from '../common/project';
import type { FeatureRule } from '../inputs/registry';

/**
 * Feature paths for Cucumber from what the user named: clause ids (`ibv_poll_cq.overrun-async-event`), pages
 * (`ibv_poll_cq`) and paths of feature files, with or without lines.
 *
 * @throws {@link UsageError} naming the first that does not exist, or has nothing to run
 */
export function selectPaths(selectors: readonly string[], rules: readonly FeatureRule[]): string[] {
  if (selectors.length === 0) return [...new Set(rules.map(({ uri }) => uri))];
  return selectors.flatMap((selector) => selectOne(selector, rules));
}

function selectOne(selector: string, rules: readonly FeatureRule[]): string[] {
  const [path = '', ...lines] = selector.split(':');
  const uri = rules.find((rule) => rule.uri === withinProject(path))?.uri;
  if (uri !== undefined) return [[uri, ...lines].join(':')];
  const page = rules.find((rule) => basename(rule.uri, '.feature') === selector);
  if (page !== undefined) return [page.uri];
  const matching = rules.filter(({ ids }) => ids.includes(selector.replace(/^@/, '')));
  if (matching.length === 0) throw unknown(selector);
  const shown = matching.filter(({ scenarios }) => scenarios.length > 0);
  if (shown.length === 0) throw untested(selector, matching[0]?.reason);
  return shown.map((rule) => [rule.uri, ...rule.scenarios.map(({ line }) => line)].join(':'));
}

function withinProject(path: string): string {
  return relative(root, isAbsolute(path) ? path : join(process.cwd(), path));
}

/** Without its lines, the path would select the whole feature. */
function untested(selector: string, reason = 'its feature does not say why'): UsageError {
  return new UsageError(`rule "${selector}" has no scenario to run: ${reason}`);
}

function unknown(selector: string): UsageError {
  return new UsageError(
    `there is no rule, page or feature "${selector}"`,
    '`verbspec rules` lists the rules, such as ibv_poll_cq.overrun-async-event',
  );
}

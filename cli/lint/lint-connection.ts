import type { Background, Feature, Rule, Scenario, Tag } from '@cucumber/messages';
import { rulesIn, type Problem } from '../inputs/features';

const tag = '@needs.connection';
/** For scenarios that connect UD QPs alone, whatever their Background connects. */
const datagramsTag = '@needs.datagrams';
/** The steps that connect QPs begin so: those of a type, or RC QPs for CQs of their own. */
const connecting = /^connected (\S+) QPs\b|^receive CQs "|^a CQ on each completion vector /;

/** What may hold a Background, and tags that hold for all scenarios in it. */
interface Group {
  readonly tags: readonly Tag[];
  readonly children: readonly { readonly background?: Background }[];
}

/** Scenarios that connect QPs and do not say so, which a device without `connection` breaks; or say so and do not. */
export function connectionProblems(feature: Feature): Problem[] {
  const stray = feature.children.flatMap(({ scenario }) => scenario ?? []);
  return [
    ...stray.flatMap((scenario) => problemOf(scenario, [feature])),
    ...rulesIn(feature).flatMap((rule: Rule) =>
      rule.children.flatMap(({ scenario }) => (scenario ? problemOf(scenario, [feature, rule]) : [])),
    ),
  ];
}

function problemOf(scenario: Scenario, groups: readonly Group[]): Problem[] {
  const { name, tags, steps, location } = scenario;
  if (tags.some((found) => found.name === datagramsTag)) return datagramProblems(scenario);
  const all = [...groups.flatMap(stepsBefore), ...steps];
  const connects = all.some(({ text }) => connecting.test(text));
  const isTagged = [...groups.flatMap((group) => group.tags), ...tags].some((found) => found.name === tag);
  if (connects === isTagged) return [];
  const text = connects
    ? `scenario "${name}" connects QPs; tag it, its Rule or its Feature with ${tag}`
    : `scenario "${name}" connects no QPs; take ${tag} from it, or from its Rule or Feature to those that do`;
  return [{ line: location.line, text }];
}

function datagramProblems({ name, steps, location }: Scenario): Problem[] {
  const types = steps.flatMap(({ text }) => connecting.exec(text)?.[1] ?? []);
  if (types.length > 0 && types.every((type) => type === 'UD')) return [];
  const text = `scenario "${name}" does not connect UD QPs alone; tag it with ${tag} and @needs.ud in place of ${datagramsTag}`;
  return [{ line: location.line, text }];
}

function stepsBefore({ children }: Group): readonly { readonly text: string }[] {
  return children.flatMap(({ background }) => background?.steps ?? []);
}

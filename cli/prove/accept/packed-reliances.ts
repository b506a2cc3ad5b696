import { schemaAssertion, type SchemaAssertion } from '../../../catalog/schema';
import type { Reliances } from '../../../reports/proof/reliances';

/** By fault and page: the rules without their page, apart by blanks, so that a new one is a change of one line. */
export type PackedReliances = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Refuses a file that is not such. */
export const assertPackedReliances: SchemaAssertion<PackedReliances> = schemaAssertion<PackedReliances>({
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
});

/** As they are kept in a file. */
export function packed(reliances: Reliances): PackedReliances {
  return Object.fromEntries(Object.entries(reliances).map(([fault, rules]) => [fault, byPage(rules)]));
}

/** As they are compared. */
export function unpacked(reliances: PackedReliances): Reliances {
  return Object.fromEntries(Object.entries(reliances).map(([fault, pages]) => [fault, rulesOf(pages)]));
}

function byPage(rules: readonly string[]): Record<string, string> {
  const pages: Record<string, string> = {};
  for (const rule of rules) {
    const [page = '', name = ''] = rule.split('.');
    pages[page] = [...(pages[page]?.split(' ') ?? []), name].join(' ');
  }
  return pages;
}

function rulesOf(pages: PackedReliances[string]): string[] {
  return Object.entries(pages).flatMap(([page, names]) => names.split(' ').map((name) => `${page}.${name}`));
}

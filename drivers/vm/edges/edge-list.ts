import type { FunctionEdges } from '../../contract';
import { sectionOf } from '../kernels/elf';

/** The section of a module file, of which the kernel takes no notice, that lists its edges. */
export const edgeSection = '.verbspec.edges';

/** The list as it is put into a module. */
export function edgeListText(functions: readonly FunctionEdges[]): string {
  return JSON.stringify({ schemaVersion: 1, functions });
}

/**
 * The edges that a module records.
 *
 * @returns `undefined` if it records none
 * @throws Error if its list cannot be understood
 */
export function edgeListIn(image: Buffer): readonly FunctionEdges[] | undefined {
  const section = sectionOf(image, edgeSection);
  if (section === undefined) return undefined;
  const list: unknown = JSON.parse(section.toString('utf8'));
  if (isList(list) && list.functions.every(isFunction)) return list.functions;
  throw new Error(`its section ${edgeSection} is of another version of verbspec, or damaged`);
}

function isList(value: unknown): value is { readonly functions: readonly unknown[] } {
  return isStruct(value) && value.schemaVersion === 1 && Array.isArray(value.functions);
}

function isFunction(value: unknown): value is FunctionEdges {
  if (!isStruct(value) || typeof value.file !== 'string' || typeof value.name !== 'string') return false;
  return Array.isArray(value.edges) && value.edges.every(isEdge);
}

function isEdge(value: unknown): boolean {
  return isStruct(value) && [value.at, value.line].every((number) => Number.isSafeInteger(number));
}

function isStruct(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

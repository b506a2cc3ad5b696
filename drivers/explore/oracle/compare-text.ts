import type { ProgramRecord } from '../../programs/program';
import type { TraceValue } from '../../contract';
import { shown } from '../shown';
import type { Guide } from '../model/guide';
import type { Part } from './difference';

/** Whether one is the enumerator for what is unknown, and the other is no enumerator. */
function isUnknown(...values: readonly [TraceValue, TraceValue]): boolean {
  return values.includes('IBV_NODE_UNKNOWN') && values.some((value) => !shown(value).startsWith('IBV_'));
}

/**
 * Compares the text for an enumerator with those that were given before: it says the same each time, and what no other
 * says. The words are free.
 */
export function differenceOfText(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  if (device.returned !== model.returned) guide.ledger.take('words-of-texts');
  const text = String(device.returned);
  if (text === '') return { what: 'text', expected: 'a text', observed: text };
  const [value = null] = Object.values(device.args);
  for (const [at, other] of guide.observation.records.entries()) {
    if (at >= guide.at) return undefined;
    if (other?.verb !== device.verb) continue;
    const [otherValue = null] = Object.values(other.args);
    const isSameValue = otherValue === value;
    const isSameText = other.returned === text;
    if (isSameText && isUnknown(value, otherValue)) {
      guide.ledger.take('text-of-unknown');
      continue;
    }
    if (isSameValue !== isSameText)
      return { what: 'text', expected: isSameValue ? String(other.returned) : 'a text of its own', observed: text };
    if (!isSameText && other.outputs.address === device.outputs.address) {
      return { what: 'address', expected: 'an address of its own', observed: device.outputs.address ?? null };
    }
  }
  return undefined;
}

import type { ProgramRecord } from '../../programs/program';
import type { Guide } from '../model/guide';
import type { Part } from './difference';

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
    const isSameValue = Object.values(other.args)[0] === value;
    const isSameText = other.returned === text;
    if (isSameValue !== isSameText)
      return { what: 'text', expected: isSameValue ? String(other.returned) : 'a text of its own', observed: text };
    if (!isSameText && other.outputs.address === device.outputs.address) {
      return { what: 'address', expected: 'an address of its own', observed: device.outputs.address ?? null };
    }
  }
  return undefined;
}

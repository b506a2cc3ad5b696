import { capabilities, lackText, UsageError, type Capability, type Dut } from '../../drivers/contract';
import type { Outcome } from './outcome';

/** What a device has of the capabilities that an earlier record of it lists. */
export interface ExpectedCapabilities {
  /** All that the record lists. */
  readonly expected: readonly Capability[];
  /** Listed, and the device lacks it: a scenario that does not apply for that is not a skip but a loss. */
  readonly missing: readonly Capability[];
  /** Not listed, and the device has it. */
  readonly added: readonly string[];
}

/** Compares a device with the record; `undefined` if the device could not be asked. */
export function compareCapabilities(
  expected: readonly Capability[],
  dut: Partial<Dut>,
): ExpectedCapabilities | undefined {
  if (dut.capabilities === undefined) return undefined;
  const present: readonly string[] = dut.capabilities;
  const listed: readonly string[] = expected;
  return {
    expected,
    missing: expected.filter((capability) => !present.includes(capability)),
    added: present.filter((capability) => !listed.includes(capability)),
  };
}

/** The outcome of a scenario that does not apply says so where the device should have had what it lacks. */
export function tellExpected(outcome: Outcome, missing: readonly Capability[]): Outcome {
  const lacks = new Set(missing.map(lackText));
  const tell = (lack: string): string => (lacks.has(lack) ? `${lack}, and was expected to have it` : lack);
  const findings = outcome.findings.map((finding) =>
    finding.verdict === 'not-applicable'
      ? { ...finding, words: finding.words.split('; ').map(tell).join('; ') }
      : finding,
  );
  return { ...outcome, findings };
}

/**
 * Reads a record of capabilities: the verdicts.json of an earlier run, or `{"capabilities": [...]}`.
 *
 * @param name - what the user calls it
 * @throws UsageError if it is not such a record, or lists what no device can have
 */
export function parseExpectedCapabilities(text: string, name: string): Capability[] {
  const listed = listIn(parse(text, name));
  if (!Array.isArray(listed)) {
    throw new UsageError(
      `${name} lists no capabilities`,
      'name the verdicts.json of an earlier run, or a file with {"capabilities": [...]}',
    );
  }
  const known: readonly unknown[] = capabilities;
  const unknown = listed.filter((capability) => !known.includes(capability)).map(shown);
  if (unknown.length > 0) {
    throw new UsageError(
      `${name} lists unknown capabilities: ${[...unknown.slice(0, shownMax), ...(unknown.length > shownMax ? ['...'] : [])].join(', ')}`,
      `the capabilities are ${capabilities.join(', ')}`,
    );
  }
  return capabilities.filter((capability) => listed.includes(capability));
}

/** Items that a message has room for. */
const shownMax = 10;

/** What is listed may be nested too deep for a text, and have no end. */
function shown(item: unknown): string {
  return typeof item === 'object' && item !== null ? 'a list or an object' : JSON.stringify(item).slice(0, 100);
}

function listIn(record: unknown): unknown {
  const own = memberOf(record, 'capabilities');
  return own === undefined ? memberOf(memberOf(record, 'dut'), 'capabilities') : own;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${error instanceof Error ? error.message.split('\n', 1)[0] : ''}`);
  }
}

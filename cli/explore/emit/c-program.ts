import { dataText, UsageError } from '../../../drivers/contract';
import { oneLine } from '../../../catalog/plain-text';
import { callsOf } from '../../../drivers/programs/program';
import { programText } from '../../reproduce/c/program-text';
import { operationsOf } from '../../reproduce/operations';
import type { LocalPort, Op } from '../../reproduce/program';
import { referenceRun } from '../../reproduce/reference';
import { asSimulated } from './as-simulated';
import { judgementOf } from './c-checks';
import { deathOf } from './deaths';
import { deviceText } from './device-text';
import { linksIn, localOf, namesIn, recordedCalls } from './recorded-calls';
import type { StoredFinding } from './stored-finding';

/**
 * A finding as a program in C, libibverbs alone: exit code 1 and one line where it shows.
 *
 * @throws UsageError if what is wrong is not seen by the calls of one program
 */
export async function cText(finding: StoredFinding): Promise<string> {
  try {
    return await programOf(finding);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = oneLine((error as Error).message).slice(0, 120);
    throw new UsageError(`the records of the finding do not fit its calls: ${why}`, 'find it again: --replay');
  }
}

async function programOf(found: StoredFinding): Promise<string> {
  const { difference, oracle } = found;
  if (oracle === 'metamorphic') throw unseen('it compares two programs, and a program in C is one');
  const isDeadly = deathOf(difference) !== undefined;
  const finding = isDeadly ? await asSimulated(found) : found;
  if (finding.records.length === 0) throw unseen('it has no calls that were made');
  const local = localOf(finding);
  const ops = operationsIn(finding, local);
  const { checks, answers } = judgementOf(finding, ops, await referenceRun(ops), local);
  const hangs = difference.observed === 'nothing yet' && ops.at(-1)?.step === difference.at;
  if (checks.length === 0 && !hangs && !isDeadly)
    throw unseen('its calls show nothing that a sound device does otherwise');
  const names = namesIn(finding);
  return programText({
    ops,
    checks,
    answers,
    nameOf: (handle) => names.get(handle) ?? handle,
    local,
    about: aboutText(finding),
    hangs,
  });
}

/** The calls of a finding, with the moves of the link between them. */
function operationsIn(finding: StoredFinding, local: LocalPort): Op[] {
  const links = linksIn(finding);
  return operationsOf(recordedCalls(finding), local).map((op) => {
    const link = op.step === undefined ? undefined : links.get(op.step);
    return link === undefined ? op : { ...op, link };
  });
}

const unseen = (why: string): UsageError =>
  new UsageError(`the finding cannot be shown in C: ${why}`, 'use --emit gherkin');

function aboutText(finding: StoredFinding): string[] {
  const { clause, difference, program, seed, suite } = finding;
  const { at, verb, what, expected, observed } = difference;
  return [
    deathOf(difference)?.about ?? oneLine(clause),
    `Found by verbspec explore ${oneLine(suite)} on ${deviceText(finding)}, seed ${seed}, program ${oneLine(program.seed)}`,
    '',
    `Call ${at + 1} of ${callsOf(program).length}, ${oneLine(verb)}: ${oneLine(what)}`,
    `Expected: ${oneLine(dataText(expected))}`,
    `Observed: ${oneLine(dataText(observed))}`,
    "What is expected is what verbspec's simulator can come to with the same calls.",
  ];
}

import { oneLine } from '../../../catalog/plain-text';
import { dataText, type Data } from '../../../drivers/contract';
import type { ProgramValue } from '../../../drivers/programs/program';
import { deviceText } from './device-text';
import { opLines, valueText } from './notation/print';
import type { StoredFinding } from './stored-finding';

/** Steps of a scenario that `verbspec explore --replay` plays. */
export const steps = {
  calls: 'the program makes these calls:',
  every: 'every call gives what the pages allow',
} as const;

/**
 * A finding as a scenario. Its calls are any calls, which the steps of the suite have no words for: so they stand in one
 * step, in a notation like that of C, and `verbspec explore --replay` alone plays it.
 */
export function featureText(finding: StoredFinding): string {
  const { clause, difference, program, suite, seed } = finding;
  const { verb, what, expected, observed } = difference;
  const compared = comparedText(finding);
  return [
    `# Found by verbspec explore ${oneLine(suite)} on ${deviceText(finding)}, seed ${seed}.`,
    '# Play it: verbspec explore --driver DRIVER --replay FILE',
    '@explore',
    `Feature: ${oneLine(clause)}`,
    '',
    `  # Program ${oneLine(program.seed)}`,
    `  Scenario: ${oneLine(`${verb} ${what}: expected ${dataText(expected)}, observed ${dataText(observed)}`)}`,
    `    When ${steps.calls}`,
    '      ```',
    ...opLines(program.ops, '      '),
    '      ```',
    ...(compared === undefined ? [] : [`    Then ${compared}`]),
    `    ${compared === undefined ? 'Then' : 'And'} ${steps.every}`,
    '',
  ].join('\n');
}

/** What the difference says of one member of one call; nothing where it is about more than that. */
function comparedText({
  difference: { at, verb, what, expected },
  records,
  oracle,
}: StoredFinding): string | undefined {
  const record = records[at];
  if (oracle !== 'inclusion' || record?.verb !== verb) return undefined;
  if (!/^\w+(\[\d+\])?(\.\w+)?$/.test(what) || what === 'call' || what === 'waited') return undefined;
  if (hasHandle(expected)) return undefined;
  return `call ${at + 1}, ${verb}, gives ${what} = ${valueText(expected as ProgramValue)}`;
}

/** Handles differ from device to device. */
function hasHandle(data: Data): boolean {
  return /"[a-z]+#\d+"/.test(JSON.stringify(data));
}

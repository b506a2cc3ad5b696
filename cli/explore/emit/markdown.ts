import { oneLine } from '../../../catalog/plain-text';
import { dataText, type Data } from '../../../drivers/contract';
import { callsOf } from '../../../drivers/programs/program';
import { deathOf } from './deaths';
import { deviceText } from './device-text';
import { opLines } from './notation/print';
import type { StoredFinding } from './stored-finding';

const oracles: Readonly<Record<string, string>> = {
  inclusion: 'No run of the simulator, in whichever order its steps come, gives what the device gave.',
  axioms: 'It breaks what holds of every program on every device, whatever the order in which things happen.',
  metamorphic: 'Another way to write the same program gives something else.',
  'broken call': 'A call that has to be possible could not be made.',
};

/** A finding in the form of reports/findings: the cause is left to those who know it. */
export function markdownText(finding: StoredFinding, file: string): string {
  const { clause, difference, driver, oracle, program, seed, suite, device, trials } = finding;
  const { at, verb, what, expected, observed } = difference;
  const name = plain(file);
  return [
    `# ${plain(device.provider)}: ${titleOf(difference)}`,
    '',
    `**Affected:** ${plain(deviceText(finding))}. Other versions were not tried.`,
    '',
    '## What the page says',
    '',
    deathOf(difference)?.rule ?? `See ${plain(clause)}. ${oracles[oracle] ?? ''}`.trimEnd(),
    '',
    '## What happens',
    '',
    `- call: ${at + 1}. of ${callsOf(program).length}, ${plain(verb)}`,
    `- compared: ${plain(what)}`,
    `- expected: ${code(expected)}`,
    `- observed: ${code(observed)}`,
    ...(trials === undefined ? [] : [`- seen in ${trials.failed} of ${trials.runs} runs`]),
    '',
    '## Reproduction',
    '',
    '```',
    `npx verbspec explore --driver ${plain(driver)} --replay ${name}.json`,
    `npx verbspec explore --emit c ${name}.json > ${name}.c && cc -o ${name} ${name}.c -libverbs -pthread && ./${name}`,
    '```',
    '',
    'The calls:',
    '',
    '```',
    ...opLines(program.ops).map((line) => line.replaceAll('```', '` ` `')),
    '```',
    '',
    '## Versions',
    '',
    `verbspec ${plain(suite)}, seed ${seed}, program ${plain(program.seed)}; ${plain(deviceText(finding))}.`,
    '',
    '## Cause',
    '',
    'Not known.',
    '',
  ].join('\n');
}

function titleOf(difference: StoredFinding['difference']): string {
  const [verb, what] = [plain(difference.verb), plain(difference.what)];
  return deathOf(difference)?.title(verb) ?? `${verb} gives another ${what} than its page allows`;
}

/** What a device says is no Markdown and no HTML. */
const plain = (text: string): string => oneLine(text).replace(/[\\`*<>[\]&|]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function code(data: Data): string {
  const text = oneLine(dataText(data)).replaceAll('`', "'").slice(0, 300);
  return `\`${text}\``;
}

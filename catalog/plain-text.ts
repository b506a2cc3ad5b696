// What a device, a kernel, a driver process or a file of others says ends up on terminals, in the logs of CI jobs and on
// pages. Nothing in it may steer them, hide in them, or turn them around.

const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-Z\\-~])/g;
const lineEnd = /\r\n|[\u0085\u2028\u2029]/g;
/** What has no shape of its own: controls, marks that turn the direction of text, joiners. Line ends and tabs stay. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const halfCharacter = /\p{Surrogate}/gu;

/** How an IPv6 address goes on that begins with two colons. */
const address = '(?:(?=[0-9a-f:]*\\d)[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*(?:\\.\\d{1,3}){0,3})?(?![\\w:-]|\\.\\w)';
/** GitHub obeys `::command::` first on a line, where any word may come to stand. */
const colonsOfCommand = `:{2,}(?!${address})`;
const commandInWords = new RegExp(`(?<=^|\\s)${colonsOfCommand}`, 'gi');
const commandAtStart = new RegExp(`^${colonsOfCommand}`, 'i');
/** GitHub, Azure and TeamCity obey these wherever they stand in a line. */
const commandAnywhere = /##(?=(?:vso|teamcity)?\[)/gi;

/**
 * The text without escape sequences, control characters and invisible ones; line ends and tabs stay. A command to a CI
 * system is broken by a blank, so that people read it and no system obeys it: `: :add-mask::x`, `# #[error]`.
 */
export function plainText(text: string): string {
  return text
    .replace(lineEnd, '\n')
    .replace(escapeSequence, '')
    .replace(invisible, '')
    .replace(halfCharacter, '\ufffd')
    .replace(commandInWords, spaced)
    .replace(commandAnywhere, spaced);
}

/** The text as one line: each run of white space becomes a blank. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** What is left of plain text that was cut within a word: a command that begins it now is broken as well. */
export function plainRest(text: string): string {
  return text.replace(commandAtStart, spaced);
}

/**
 * Data as JSON that may be printed: what {@link plainText} takes away or breaks is escaped, so readers get it whole.
 *
 * @param indent - blanks for each level; all is one line unless given
 */
export function printableJson(data: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(data, undefined, indent));
}

/** JSON as {@link printableJson} writes it, from JSON of somebody else. */
export function escapedJson(json: string): string {
  return json
    .replace(/(?![\n\t\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu, escaped)
    .replace(commandAnywhere, (signs) => Array.from(signs, escaped).join(''));
}

function spaced(signs: string): string {
  return Array.from(signs).join(' ');
}

/** Each half of a character beyond the first plane has an escape of its own. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

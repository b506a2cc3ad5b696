/** Characters of another's text that a message has room for. */
const charactersMax = 500;

/** Removes escape sequences and control characters other than line ends and tabs. */
export function printable(text: string): string {
  return text.replace(/\x1b(?:\[[0-9;?]*[A-Za-z]|[^[])/g, '').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/** What somebody else has said, as one line for a message: printable, and cut where it is longer than a message may be. */
export function inOneLine(text: string, most = charactersMax): string {
  const line = printable(text.slice(0, 4 * most))
    .replace(/\s+/g, ' ')
    .trim(); // blanks and escapes may go
  const isCut = line.length > most || text.length > 4 * most;
  return isCut ? `${line.slice(0, most)}…` : line;
}

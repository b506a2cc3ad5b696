import { oneLine } from '../../catalog/plain-text';

/** Text in which Markdown and HTML find no mark-up, whatever it holds: in one line, fit for the cell of a table. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '')
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    .replaceAll('@', '&#64;'); // a backslash does not keep it from being a mention
}

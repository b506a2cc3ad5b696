import { oneLine } from '../../catalog/plain-text';

/** Text in which Markdown and HTML find no mark-up, whatever it holds: in one line, fit for the cell of a table. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '')
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    .replaceAll('@', '&#64;'); // a backslash does not keep it from being a mention
}

/** Text within `<code>`, where some readers of Markdown show a backslash as it is. */
export function markdownCode(text: string): string {
  return oneLine(text).replace(/[^\p{L}\p{N}\s.,:;/'=-]/gu, (character) => `&#${character.codePointAt(0) ?? 32};`);
}

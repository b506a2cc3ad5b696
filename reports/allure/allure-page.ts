import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const style = join(__dirname, 'allure-page.css');

/** Shows the rules by man page first, which says most, unless a link leads elsewhere. */
const opening = "if (location.hash === '') location.replace('#behaviors');";

/** Makes a single-file report of Allure say what a run means, and fit for narrow screens. */
export function mendPage(path: string): void {
  const html = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    html.replace('</head>', () => `<script>${opening}</script><style>\n${readFileSync(style, 'utf8')}</style></head>`),
  );
}

/** A file that a single-file report of Allure holds: they are in base64. @returns undefined if there is none of that name */
export function embeddedFile(html: string, name: string): string | undefined {
  const begin = `d('${name}','`;
  const at = html.indexOf(begin);
  if (at < 0) return undefined;
  const start = at + begin.length;
  return Buffer.from(html.slice(start, html.indexOf("'", start)), 'base64').toString('utf8');
}

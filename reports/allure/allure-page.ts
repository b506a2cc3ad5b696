import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const style = join(__dirname, 'allure-page.css');

/** Makes a single-file report of Allure fit for narrow screens. */
export function mendPage(path: string): void {
  const html = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    html.replace('</head>', () => `<style>\n${readFileSync(style, 'utf8')}</style></head>`),
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

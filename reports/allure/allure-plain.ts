import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { escapedJson, plainText } from '../../catalog/plain-text';

const textExtensions = ['.csv', '.log', '.txt'];

/** A member of JSON as a page may show it: for `JSON.parse` and `JSON.stringify`, which ask for each. */
export function plainMember(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? plainText(value) : value;
}

/** The content of an attachment as a page may show it: text is plain, whatever device or driver it came from. */
export function plainContent(fileName: string, content: Buffer): Buffer {
  const extension = extname(fileName);
  if (extension === '.json') return Buffer.from(escapedJson(content.toString('utf8')));
  const isText = textExtensions.includes(extension) || isUtf8(content);
  return isText ? Buffer.from(plainText(content.toString('utf8'))) : content;
}

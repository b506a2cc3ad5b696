import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const root = join(__dirname, '..');

/** Phrases over which an English reader stumbles, with what to write in their place. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\bbut for\b/i, 'except for'],
  [/\bone a (?:batch|line|row|scenario|rule)\b/i, 'one per ...'],
  [/(?<!there )\bis no (?:JSON|baseline|folder|struct|call|fault|file|list|object|proof)\b/i, 'is not a ...'],
  [/\btells its seed\b/i, 'prints its seed'],
  [/\bwhat to give\b/i, 'what to pass'],
  [/\b(?:held|hold|holds) (?:\w+ )*against\b/i, 'compare with'],
  [/\bmend(?:s|ed)?\b(?!-)/i, 'fix, update, correct'],
  [/\bbehind (?:its|the) end\b/i, 'past its end'],
  [/\bmachine of yours\b/i, 'your machine'],
  [/\bthe (?:rules|faults|runs) are told\b/i, 'are listed'],
];

/** What others have written, and names that are kept for good. */
const exempt = /package-lock\.json$|^reports\/findings\/|^ci\/english\.test\.ts$/;
const kept = /poll-mends-an-overrun/g;

it('texts avoid phrases over which an English reader stumbles', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.md', '*.feature', '*.json', '*.cc', '*.sh'], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = files
    .trim()
    .split('\n')
    .filter((file) => !exempt.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').replace(kept, '').split('\n');
      return lines.flatMap((line, index) =>
        banned.flatMap(([phrase, better]) =>
          phrase.test(line) ? [`${file}:${index + 1}: "${phrase.exec(line)?.[0]}"; write: ${better}`] : [],
        ),
      );
    });
  assert.deepEqual(found, []);
});

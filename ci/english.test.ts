import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const root = join(__dirname, '..');

/** What a message may have found instead of what it needs. */
const things = [
  ...['attachment', 'baseline', 'call', 'capability', 'clause', 'date', 'fault', 'file', 'folder', 'Gherkin', 'GID'],
  ...['handle', 'history', 'JSON', 'kernel', 'list', 'live', 'mark', 'module', 'object', 'offset', 'proof', 'range'],
  ...['raw', 'release', 'request', 'result', 'run', 'source', 'struct', 'tag', 'text', 'UTF-8', 'verb'],
];

/** Phrases over which an English reader stumbles, with what to write in their place. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\bbut for\b/i, 'except for'],
  [/\b(?:one|two|entry) an? (?:batch|byte|clause|core|line|page|row|rule|run|scenario|verb)\b/i, 'one per ...'],
  [new RegExp(`(?<!there )\\bis no (?:${things.join('|')})\\b`, 'i'), 'is not a ...'],
  [/\bthe id of no\b|\bnames no (?:capability|clause|object|rule)\b/i, 'unknown ..., is not a known ...'],
  [/\btells its seed\b/i, 'prints its seed'],
  [/\bwhat to give\b/i, 'what to pass'],
  [/\b(?:held|hold|holds) (?:\w+ )*against\b/i, 'compare with'],
  [/\bmend(?:s|ed)?\b(?!-)/i, 'fix, update, correct'],
  [/\bbehind (?:its|the) end\b/i, 'past its end'],
  [/\b(?:posted|begins?) behind\b/i, 'after'],
  [/\bmachine of yours\b/i, 'your machine'],
  [/\bunless (?:they are )?told\b/i, 'by default'],
  [/\bgrave(?:r|st)\b|\bgravity\b/i, 'more severe, most severe, severity'],
];

/** Phrases that only features, and what goes with their words, may keep. */
const bannedInProse: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are|was|were|be|been) told\b(?! (?:apart|from)\b)/i, 'is reported, printed, listed, shown'],
];
/** The records of a proof have the words of the features. */
const features = /^features\/|^drivers\/(?:deviations|sim\/faults)\/|^reports\/proof\/recorded-/;

/** What others have written, and names that are kept for good. */
const exempt = /package-lock\.json$|^reports\/findings\/|^ci\/english\.test\.ts$/;
const kept = /poll-mends-an-overrun/g;

it('texts avoid phrases over which an English reader stumbles', () => {
  const files = execFileSync(
    'git',
    ['ls-files', '*.ts', '*.js', '*.md', '*.feature', '*.json', '*.cc', '*.h', '*.sh'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const found = files
    .trim()
    .split('\n')
    .filter((file) => !exempt.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').replace(kept, '').split('\n');
      const phrases = features.test(file) ? banned : [...banned, ...bannedInProse];
      return lines.flatMap((line, index) =>
        phrases.flatMap(([phrase, better]) =>
          phrase.test(line) ? [`${file}:${index + 1}: "${phrase.exec(line)?.[0]}"; write: ${better}`] : [],
        ),
      );
    });
  assert.deepEqual(found, []);
});

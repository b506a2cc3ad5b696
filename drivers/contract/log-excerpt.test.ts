import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complaintsIn } from './kernel-complaint';
import { excerptOf, LogExcerpt } from './log-excerpt';

const size = { head: 100, between: 400, tail: 100 };
const noise = Array.from({ length: 100 }, (_, at) => `line ${at}`);

/** What is kept of these lines. */
function kept(lines: readonly string[]): readonly string[] {
  const excerpt = new LogExcerpt(size);
  for (const line of lines) excerpt.add(line);
  return excerpt.lines();
}

describe('an excerpt of a log', () => {
  it('is all of a short one', () => {
    assert.deepEqual(kept(noise.slice(0, 20)), noise.slice(0, 20));
  });

  it('has the first and the last lines, and says how much is left out', () => {
    const lines = kept(noise);
    const at = lines.findIndex((line) => line.startsWith('...'));
    assert.equal(lines[0], 'line 0');
    assert.equal(lines.at(-1), 'line 99');
    const omitted = noise.length - (lines.length - 1);
    assert.equal(lines[at], `... ${omitted} lines (1 kB) left out ...`);
    assert.deepEqual(
      [...lines.slice(0, at), ...lines.slice(at + 1)],
      [...noise.slice(0, at), ...noise.slice(omitted + at)],
    );
  });

  it('has the reports of complaints that came between, and the lines that show why a kernel died', () => {
    const report = [
      '[  7.0] WARNING: CPU: 0',
      '[  7.0] in rxe_post+0x1 [rdma_rxe]',
      '[  7.0] ---[ end trace 0000 ]---',
    ];
    const lines = kept([...noise, ...report, ...noise, 'verbspec: cannot load module', ...noise]);
    const at = lines.findIndex((line) => line.startsWith('...'));
    const left = [87, 100, 79].map((count) => `... ${count} lines (1 kB) left out ...`);
    const between = [left[0], ...report, left[1], 'verbspec: cannot load module', left[2]];
    assert.deepEqual(lines.slice(at, at + between.length), between);
    const complaint = { line: 'WARNING: CPU: 0', report: report.map((line) => line.slice('[  7.0] '.length)) };
    assert.deepEqual(complaintsIn(lines.join('\n')), [complaint]);
  });

  it('keeps the first of complaints without an end', () => {
    const lines = kept([...noise, ...Array.from({ length: 100_000 }, (_, at) => `BUG: number ${at}`), ...noise]);
    assert.ok(lines.includes('BUG: number 0'));
    assert.ok(lines.length < 100);
  });

  it('is made of a text too', () => {
    assert.equal(excerptOf('short, and not ended'), 'short, and not ended');
    const text = excerptOf(`first\n${`${noise.join('\n')}\n`.repeat(10_000)}last`);
    assert.ok(text.length < 600_000);
    assert.match(text, /^first\nline 0\n.*\n\.\.\. \d+ lines \(\d MB\) left out \.\.\.\n.*\nlast\n$/s);
  });
});

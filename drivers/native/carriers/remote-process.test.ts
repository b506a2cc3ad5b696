import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { HostExit } from './carrier';
import { RemoteProcess } from './remote-process';

const marker = 'marker';

/** Words that the far side never says. */
const malformed = [
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  '{bad',
  '',
  'null',
  '[]',
  '[1,2]',
  '"ready"',
  '7',
  '{}',
  '{"kind":"unknown"}',
  '{"kind":["ready"]}',
  '{"kind":"refused"}',
  '{"kind":"refused","reason":7}',
  '{"kind":"ended"}',
  '{"kind":"ended","exit":null}',
  '{"kind":"ended","exit":{}}',
  '{"kind":"ended","exit":{"code":"0","signal":null,"stderrTail":""}}',
  '{"kind":"ended","exit":{"code":1e999,"signal":null,"stderrTail":""}}',
  '{"kind":"ended","exit":{"code":null,"signal":"\\u001b[31m","stderrTail":""}}',
  '{"kind":"ended","exit":{"code":0,"signal":null,"stderrTail":{}}}',
];

describe('the near side of an ssh connection', () => {
  let folder = '';
  const path = process.env.PATH;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-fake-ssh-'));
    process.env.PATH = `${folder}${delimiter}${path}`;
  });

  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  });

  /** Starts a program of Node.js in place of ssh. */
  function start(source: string): RemoteProcess {
    const said = join(folder, 'said.txt');
    writeFileSync(said, malformed.map((word) => `${marker} ${word}\n`).join(''));
    const head = `#!${process.execPath}\nconst malformed = require('node:fs').readFileSync(${JSON.stringify(said)});\n`;
    writeFileSync(join(folder, 'ssh'), head + source, { mode: 0o755 });
    const remote = new RemoteProcess({ args: [], marker, destination: 'far' });
    remote.output.resume();
    return remote;
  }

  async function ended(source: string): Promise<{ reason: string | undefined; exit: HostExit }> {
    const remote = start(source);
    return { reason: await remote.started, exit: await remote.ended };
  }

  it('takes malformed words for those of somebody else', async () => {
    const { reason, exit } = await ended('process.stderr.write(malformed);');
    assert.ok(reason?.includes(`\n${marker} {"kind":"refused"}\n`));
    assert.match(exit.lost ?? '', /^the connection to far ended \(marker \{"kind":"ended".*\)$/);
  });

  it('hears the words between them', async () => {
    const words = [{ kind: 'ready' }, { kind: 'ended', exit: { code: 7, signal: null, stderrTail: 'a\u0000b' } }];
    const [ready = '', end = ''] = words.map((word) => JSON.stringify(`${marker} ${JSON.stringify(word)}\n`));
    const { reason, exit } = await ended(
      `process.stderr.write(malformed); process.stderr.write('banner ' + ${ready}); process.stderr.write(malformed); process.stderr.write(${end});`,
    );
    assert.equal(reason, undefined);
    assert.deepEqual(exit, { code: 7, signal: null, stderrTail: 'ab' });
  });

  it('takes from an end no more than the far side can know', async () => {
    const exit = { code: 0, signal: null, stderrTail: 'x'.repeat(100_000), panic: 'no', lost: 'no', outage: 'no' };
    const word = JSON.stringify(`${marker} ${JSON.stringify({ kind: 'ended', exit })}\n`);
    const taken = (await ended(`process.stderr.write(${word});`)).exit;
    assert.deepEqual(taken, { code: 0, signal: null, stderrTail: 'x'.repeat(16 * 1024) });
  });

  it('hears a word after a line without an end, and keeps nothing of that', async () => {
    const ready = JSON.stringify(`\n${marker} {"kind":"ready"}\n`);
    const source = `
      const chunk = Buffer.alloc(1 << 20, 'x');
      let left = 600;
      const write = () => {
        if (left-- > 0) process.stderr.write(chunk, write);
        else process.stderr.write(${ready});
      };
      write();`;
    const before = process.memoryUsage().rss;
    const { reason, exit } = await ended(source);
    assert.equal(reason, undefined);
    assert.match(exit.lost ?? '', /^the connection to far ended \(a line of more than 262144 bytes\)$/);
    assert.ok(process.memoryUsage().rss - before < 300 * 1024 * 1024);
  });

  it('reports binary rubbish in a line', async () => {
    const { exit } = await ended('process.stderr.write(Buffer.from("1b5b324a61620007c29b63ff0a0a", "hex"));');
    assert.equal(exit.lost, 'the connection to far ended (abc\ufffd)');
  });

  it('keeps last words without a newline', async () => {
    assert.equal((await ended('process.stderr.write("no route");')).reason, 'no route');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkLine, parseReport, startLine } from './control';

describe('startLine', () => {
  it('encodes every word, so that nothing in it is special', () => {
    const words = ['/usr/bin/node', '', 'a b\n$(id)', '*'];
    const [start, marker, role, ...encoded] = startLine('end00', 'host', words).trimEnd().split(' ');
    assert.deepEqual([start, marker, role], ['start', 'end00', 'host']);
    for (const word of encoded) assert.match(word, /^=[\w+/=]*$/);
    assert.deepEqual(
      encoded.map((word) => Buffer.from(word.slice(1), 'base64').toString()),
      words,
    );
  });
});

describe('parseReport', () => {
  it('knows that the guest is ready', () => {
    assert.deepEqual(parseReport('ready'), { kind: 'ready' });
  });

  it('distinguishes an exit code from a signal', () => {
    const exit = (line: string): unknown => {
      const report = parseReport(line);
      return report?.kind === 'exit' ? report.exit : report;
    };
    const bye = Buffer.from('bye\n').toString('base64');
    assert.deepEqual(exit(`exit end0a 3 ${bye}`), { code: 3, signal: null, stderrTail: 'bye' });
    assert.deepEqual(exit('exit end0a 139 '), { code: null, signal: 'SIGSEGV', stderrTail: '' });
    assert.deepEqual(exit('exit end0a 134'), { code: null, signal: 'SIGABRT', stderrTail: '' });
    assert.deepEqual(exit('exit end0a 137'), { code: null, signal: 'SIGKILL', stderrTail: '' });
    assert.deepEqual(exit('exit end0a 255'), { code: 255, signal: null, stderrTail: '' });
  });

  it('knows that the link has gone down or up, by the words that asked for it', () => {
    for (const up of [true, false]) assert.deepEqual(parseReport(linkLine(up).trimEnd()), { kind: 'link', up });
  });

  it('understands what the threads of a process are doing', () => {
    const text = Buffer.from('==> 7/stat <==\n7 (node) S 1\n').toString('base64');
    const report = { kind: 'threads', pid: 7, texts: new Map([['7/stat', '7 (node) S 1\n']]) };
    assert.deepEqual(parseReport(`threads 7 ${text}`), report);
  });

  it('takes nothing else', () => {
    for (const line of ['', 'ready?', 'exit', 'exit end0a', 'exit end0a x', 'link', 'link left'])
      assert.equal(parseReport(line), undefined);
  });
});

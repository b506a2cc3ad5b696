import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertPrintable, commandIn, hostileText } from '../reports/fixtures/hostile-text';
import { escapedJson, oneLine, plainText, printableJson } from './plain-text';

describe('plainText', () => {
  it('leaves nothing that steers a terminal, a CI system or a reader', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        assertPrintable(plainText(text));
        assertPrintable(oneLine(text));
        assert.doesNotMatch(oneLine(text), /[\n\t]/);
      }),
    );
  });

  it('is the same twice', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        assert.equal(plainText(plainText(text)), plainText(text));
        assert.equal(oneLine(oneLine(text)), oneLine(text));
      }),
    );
  });

  it('breaks commands where people see it', () => {
    for (const [text, plain] of [
      ['::add-mask::x', ': :add-mask::x'],
      ['it says\n  ::stop-commands::t', 'it says\n  : :stop-commands::t'],
      [':\u00ad:error::x', ': :error::x'],
      [':::error::x', ': : :error::x'],
      ['a ##[error]x', 'a # #[error]x'],
      ['##vso[task.complete]', '# #vso[task.complete]'],
      ['##TeamCity[x', '# #TeamCity[x'],
    ]) {
      assert.equal(plainText(text ?? ''), plain);
    }
  });

  it('leaves addresses and what is not a command as they are', () => {
    for (const text of [
      '::1',
      'from ::ffff:10.1.2.3 to fe80::1',
      '::/0 and ::1/128, ::1.',
      '0000:0000:0000:0000:0000:ffff:0a00:0001',
      '(::1) [::1]:80 std::string mlx5::create',
      'ok 1 ibv_poll_cq # SKIP',
      'line\n\tindented',
      '🔥 µs Ünïcode 中文',
    ]) {
      assert.equal(plainText(text), text);
    }
  });

  it('takes escape sequences away whole', () => {
    assert.equal(plainText('\u001bc\u001b[?7l\u001b(B\u001b[1;31mred\u001b[0m\u001b]0;title\u0007'), 'red');
    assert.equal(plainText('one\u2028two\u0085three\r\nfour\rfive'), 'one\ntwo\nthree\nfourfive');
    assert.equal(plainText('half \ud83d'), 'half \ufffd');
  });
});

describe('printableJson', () => {
  it('can be printed, and is read as what it was made of', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const data = { [text]: [text] };
        const json = printableJson(data, 2);
        assertPrintable(json);
        assert.deepEqual(JSON.parse(json), data);
        assert.deepEqual(JSON.parse(escapedJson(JSON.stringify(data))), data);
      }),
    );
  });
});

describe('commandIn', () => {
  it('finds what runners obey', () => {
    assert.equal(commandIn('  ::add-mask::x'), 'add-mask');
    assert.equal(commandIn('\u00a0:\u200b:error file=a::x'), 'error');
    assert.equal(commandIn('a ##[group]x'), '##[');
    assert.equal(commandIn('::1 and ::2'), undefined);
    assert.equal(commandIn('a ::error::x'), undefined);
  });
});

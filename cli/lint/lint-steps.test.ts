import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMessages } from '../../reports/recording/messages';
import { recordOutcomes } from '../../reports/fixtures/record-outcomes';
import { stepFindings } from './lint-steps';

test('a definition that no step uses is reported with its place, unless some features are missing', () => {
  const messages = parseMessages(recordOutcomes('--dry-run', '--name', '^Always$'));
  const [finding, ...others] = stepFindings(messages, true);
  assert.match(finding?.uri ?? '', /^steps\/outcomes\.steps\.ts$/);
  assert.match(finding?.text ?? '', /^no feature uses this step, `.+`; remove it$/);
  assert.ok((finding?.line ?? 0) > 1);
  assert.ok(others.length > 0);
  assert.deepEqual(stepFindings(messages, false), []);
});

test('an unknown parameter type, for which Cucumber passes over a definition, is reported', () => {
  const message = JSON.stringify({ undefinedParameterType: { name: 'colour', expression: 'a {colour} CQ' } });
  const [finding] = stepFindings(parseMessages(message), true);
  assert.equal(finding?.text, 'there is no parameter type {colour}, which `a {colour} CQ` uses; define it');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { providerFaults } from '../provider-faults';
import { providerVariants } from '../provider-variants';
import { readArguments } from './prove-options';

function refusal(...args: readonly string[]): string {
  try {
    readArguments(args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'none';
}

describe('the arguments of npm run prove:soft-roce', () => {
  it('mean all faults, or all lawful variants, unless some are named', () => {
    assert.deepEqual(readArguments([]).names, Object.keys(providerFaults));
    assert.deepEqual(readArguments(['--lawful', '--quick']).names, Object.keys(providerVariants));
    assert.deepEqual(readArguments(['event-is-lost', '--all']).names, ['event-is-lost']);
    assert.deepEqual(readArguments(['--lawful', 'texts-move']).names, ['texts-move']);
  });

  it('are refused with the nearest name', () => {
    assert.match(refusal('event-is-los'), /no fault "event-is-los"; did you mean event-is-lost\?/);
    assert.match(refusal('--lawful', 'text-move'), /no variant "text-move"; did you mean texts-move\?/);
    assert.match(refusal('--lawful', 'event-is-lost'), /no variant "event-is-lost"/);
    assert.match(refusal('zzz'), /ci\/provider-faults lists them/);
  });

  it('are refused where they do not go together', () => {
    assert.match(refusal('--quick'), /say --lawful/);
    assert.match(refusal('--lawful', '--all'), /--lawful takes no --all/);
    assert.match(refusal('--lawful', '--accept'), /--lawful takes no --accept/);
    assert.match(refusal('--lawful', '--diagnose'), /--lawful takes no --diagnose/);
  });
});

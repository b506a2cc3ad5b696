import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Envelope } from '@cucumber/messages';
import { parseMessages } from '../../reports/recording/messages';
import { recordedSpan } from '../../reports/recording/run-span';
import { steadily } from './steady-time';

/** Seconds. */
const hour = 3600;

describe('the time of a message', () => {
  it('is not that of a clock which is set while the run lasts', () => {
    const envelopes: Envelope[] = [];
    const onMessage = steadily((envelope) => envelopes.push(envelope));
    const before = Math.floor(Date.now() / 1000);
    const at = (seconds: number): object => ({ seconds, nanos: 0 });
    const messages = [
      { testRunStarted: { timestamp: at(before) } },
      { attachment: { body: '', contentEncoding: 'IDENTITY', mediaType: 'x' } },
      { testRunFinished: { timestamp: at(before + hour), success: true } },
    ];
    for (const message of parseMessages(messages.map((one) => JSON.stringify(one)).join('\n'))) onMessage(message);
    const { startMs, stopMs } = recordedSpan(envelopes);
    assert.ok(stopMs >= startMs && stopMs - startMs < (hour * 1000) / 2, `${startMs} to ${stopMs}`);
    assert.ok(Math.abs(startMs / 1000 - before) < hour / 2);
    assert.equal(envelopes[1]?.attachment?.timestamp, undefined);
    assert.equal(envelopes[2]?.testRunFinished?.success, true);
  });
});

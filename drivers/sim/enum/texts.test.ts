import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDriver } from '../fixtures/bench';

describe('texts for enumerators', () => {
  it('are constant and differ from one another', async () => {
    const driver = await newDriver();
    const first = await driver.eventTypeStr('IBV_EVENT_CQ_ERR');
    const other = await driver.eventTypeStr('IBV_EVENT_QP_FATAL');
    assert.deepEqual(await driver.eventTypeStr('IBV_EVENT_CQ_ERR'), first);
    assert.notEqual(other.text, first.text);
    assert.notEqual(other.address, first.address);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDriver } from './fixtures/bench';
import { Texts } from './texts';

describe('texts for enumerators', () => {
  it('are constant and differ from one another', async () => {
    const driver = await newDriver();
    const first = await driver.eventTypeStr('IBV_EVENT_CQ_ERR');
    const other = await driver.eventTypeStr('IBV_EVENT_QP_FATAL');
    assert.deepEqual(await driver.eventTypeStr('IBV_EVENT_CQ_ERR'), first);
    assert.deepEqual(await driver.eventTypeStr(0), first);
    assert.notEqual(other.text, first.text);
    assert.notEqual(other.address, first.address);
  });

  it('stand for all values, named or not', () => {
    const texts = new Texts();
    const eventTypes = Array.from({ length: 22 }, (_, value) => texts.ofEventType(value));
    assert.equal(new Set(eventTypes).size, eventTypes.length);
    assert.equal(texts.ofNodeType('IBV_NODE_CA'), texts.ofNodeType(1));
    assert.equal(texts.ofPortState('IBV_PORT_ACTIVE'), texts.ofPortState(4));
    assert.match(texts.ofEventType(99), /unknown/);
    assert.match(texts.ofNodeType(99), /unknown/);
    assert.match(texts.ofPortState(-1), /unknown/);
  });
});

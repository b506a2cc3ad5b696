import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dealt } from './dealt';

const things = Array.from('abcdefghijklmnop', (name) => ({ name }));

describe('things that are dealt', () => {
  it('are all there, each once, in another order at another place', () => {
    const orders = ['ibv_poll_cq / Cq.cqe', 'ibv_poll_cq / Cq.channel', 'ibv_resize_cq / Cq.cqe'].map((place) =>
      dealt(things, place),
    );
    for (const order of orders) assert.deepEqual(new Set(order), new Set(things));
    assert.equal(new Set(orders.map((order) => order.map(({ name }) => name).join())).size, 3);
  });

  it('keep their order when there is one less', () => {
    const less = things.filter(({ name }) => name !== 'g');
    assert.deepEqual(
      dealt(less, 'a place'),
      dealt(things, 'a place').filter(({ name }) => name !== 'g'),
    );
  });

  it('come first about as often as each other', () => {
    const first = Array.from({ length: 1600 }, (_, place) => dealt(things, `place ${place}`)[0]?.name);
    for (const { name } of things) {
      const times = first.filter((one) => one === name).length;
      assert.ok(times > 60 && times < 140, `${name} ${times} times`);
    }
  });
});

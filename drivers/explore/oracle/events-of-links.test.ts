import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Op, Program } from '../../programs/program';
import type { AsyncEventType } from '../../sim/async/async-events';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { Explorer } from '../explorer';

const open: Op = { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' };
const query: Op = {
  call: 'ibv_query_port',
  args: { context: { of: 'ctx' }, portNum: { of: 'dut', member: 'portNum' } },
};
const get: Op = { call: 'ibv_get_async_event', args: { context: { of: 'ctx' } } };
const [down, up]: readonly Op[] = [{ port: 'down' }, { port: 'up' }];

type Raised = readonly [AsyncEventType, number];

/** A device that raises these events when a context is opened, and those in place of what a move of the link raises. */
function raising(atOpen: readonly Raised[], atMove?: (eventType: AsyncEventType) => readonly Raised[]): Parts {
  return {
    ...soundParts,
    Device: class extends soundParts.Device {
      override open(): ReturnType<InstanceType<Parts['Device']>['open']> {
        const context = super.open();
        for (const event of atOpen) context.raise(...event);
        return context;
      }

      override portChanged(eventType: AsyncEventType): void {
        if (atMove === undefined) super.portChanged(eventType);
        else for (const context of this.contexts) for (const event of atMove(eventType)) context.raise(...event);
      }
    },
  };
}

async function kindOn(parts: Parts, ...ops: readonly (Op | undefined)[]): Promise<string> {
  const program: Program = { version: 1, seed: 'link', ops: ops.flatMap((op) => op ?? []) };
  return (await new Explorer(new SimBackend(parts), { oracles: ['axioms', 'inclusion'] }).examine(program)).kind;
}

describe('an event of a link', () => {
  const err: Raised = ['IBV_EVENT_PORT_ERR', 1];

  it('may come at any time to a program that does not move it', async () => {
    assert.equal(await kindOn(raising([err]), open, get), 'sound');
  });

  it('comes to a program that moves it as often as it is moved', async () => {
    assert.equal(await kindOn(raising([err]), open, down, query, get, get), 'finding');
    assert.equal(await kindOn(soundParts, open, down, query, up, query, get, get), 'sound');
    assert.equal(
      await kindOn(
        raising([], () => []),
        open,
        down,
        query,
        get,
      ),
      'finding',
    );
  });

  it('may come of another port, or be of another type, all the same', async () => {
    const others: readonly Raised[] = [
      ['IBV_EVENT_PORT_ERR', 2],
      ['IBV_EVENT_GID_CHANGE', 1],
    ];
    for (const event of others)
      assert.equal(await kindOn(raising([event]), open, down, query, get, get), 'sound', event[0]);
  });

  it('is of no port before the first', async () => {
    assert.equal(await kindOn(raising([['IBV_EVENT_PORT_ERR', 0]]), open, get), 'finding');
    assert.equal(
      await kindOn(
        raising([], (eventType) => [[eventType, 0]]),
        open,
        down,
        query,
        get,
      ),
      'finding',
    );
  });

  it('comes after that of the move before it', async () => {
    const kept: Raised[] = [];
    const turned = raising([], (eventType) => {
      kept.unshift([eventType, 1]);
      return kept.length === 2 ? kept : [];
    });
    assert.equal(await kindOn(turned, open, down, query, up, query, get, get), 'finding');
  });
});

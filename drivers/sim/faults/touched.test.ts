import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cq, type NotifyRequest } from '../cq/cq';
import { Device, soundParts } from '../device/device';
import { succeedingWith } from './returning';
import { replacedBy, tellingParts } from './touched';

class OneMethod extends Cq {
  #count = 0;

  override notify(scope: NotifyRequest): void {
    this.#count += 1;
    super.notify(scope);
  }
}

class MoreOfIt extends OneMethod {
  override get cqe(): number {
    return super.cqe + 1;
  }
}

class BornDifferent extends Cq {
  protected override request: NotifyRequest | undefined = 'any';
}

class BuiltDifferent extends Cq {
  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    this.users = 1;
  }
}

describe('what a fault replaces', () => {
  it('is the methods and getters of its classes, down to the sound one', () => {
    assert.deepEqual(replacedBy({ Cq: OneMethod }), ['Cq.notify']);
    assert.deepEqual(replacedBy({ Cq: MoreOfIt }), ['Cq.cqe', 'Cq.notify']);
  });

  it('is the making of objects, where they are born different', () => {
    assert.deepEqual(replacedBy({ Cq: BornDifferent }), ['Cq.constructor']);
    assert.deepEqual(replacedBy({ Cq: BuiltDifferent }), ['Cq.constructor']);
  });

  it('is the verbs whose result it changes', () => {
    assert.deepEqual(replacedBy(succeedingWith(['ibv_poll_cq'], () => ({}))), ['ibv_poll_cq']);
  });
});

it('the telling classes tell of methods, getters and inherited methods, and do what the sound ones do', () => {
  const told = new Set<string>();
  const device = new Device(tellingParts((touch) => told.add(touch)));
  const context = device.open();
  const channel = device.createCompChannel(context);
  const cq = device.createCq(context, { cqe: 3, cqContext: 0n, compVector: 0 }, channel);
  cq.notify('any');
  assert.equal(cq.cqe, 3);
  assert.equal(channel.readable, false);
  for (const touch of [
    'Cq.constructor',
    'Cq.notify',
    'Cq.combine',
    'Cq.cqe',
    'CompChannel.bind',
    'CompChannel.readable',
  ]) {
    assert.ok(told.has(touch), touch);
  }
  assert.ok(!told.has('Cq.poll'));
  assert.notEqual(cq.constructor, soundParts.Cq);
});

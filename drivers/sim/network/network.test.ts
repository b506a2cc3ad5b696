import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Port } from '../device/port';
import type { NetworkConditions } from './conditions';
import { Network } from './network';
import type { Packet } from './packet';

const left = { gid: 'left', qpNum: 1 };
const right = { gid: 'right', qpNum: 2 };

function packet(psn: number): Packet {
  return { kind: 'response', from: left, to: right, psn, pkey: 0xffff, syndrome: { kind: 'ack' } };
}

/** A network, and what arrives at its right port: numbers of packets and when. */
function watched(conditions?: Partial<NetworkConditions>) {
  const network = new Network(conditions);
  const arrived: [number, number][] = [];
  const ports = { left: new Port('left'), right: new Port('right') };
  network.attach({ port: ports.left, arrive: () => undefined });
  network.attach({ port: ports.right, arrive: ({ psn }) => arrived.push([psn, network.clock.nowUs]) });
  return { network, arrived, ports };
}

function psnsOf(conditions: Partial<NetworkConditions>, count = 100): number[] {
  const { network, arrived } = watched(conditions);
  for (let psn = 0; psn < count; psn++) network.send(packet(psn));
  network.clock.runAll();
  return arrived.map(([psn]) => psn);
}

const inOrder = Array.from({ length: 100 }, (_, psn) => psn);
const seeds = fc.integer();

describe('a network', () => {
  it('delivers at once if nothing else is asked for', () => {
    const { network, arrived } = watched();
    network.send(packet(7));
    assert.deepEqual(arrived, [[7, 0]]);
  });

  it('delivers what an arrival causes after that arrival', () => {
    const network = new Network();
    const seen: string[] = [];
    network.attach({
      port: new Port('left'),
      arrive: () => {
        seen.push('answer arrives');
      },
    });
    network.attach({
      port: new Port('right'),
      arrive: ({ psn }) => {
        network.send({ kind: 'response', from: right, to: left, psn, pkey: 0xffff, syndrome: { kind: 'ack' } });
        seen.push('request is done');
      },
    });
    network.send(packet(0));
    assert.deepEqual(seen, ['request is done', 'answer arrives']);
  });

  it('delays all packets alike where the mean is the least', () => {
    const { network, arrived } = watched({ oneWayDelayMinUs: 5, oneWayDelayMeanUs: 5 });
    network.send(packet(1));
    network.clock.runAll();
    assert.deepEqual(arrived, [[1, 5]]);
  });

  it('delays packets differently, none less than the least, and keeps their order', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { network, arrived } = watched({ seed, oneWayDelayMinUs: 5, oneWayDelayMeanUs: 20 });
        for (const psn of inOrder) {
          network.send(packet(psn));
          network.clock.advance(20);
        }
        network.clock.runAll();
        assert.deepEqual(
          arrived.map(([psn]) => psn),
          inOrder,
        );
        const delaysUs = arrived.map(([psn, atUs]) => atUs - 20 * psn);
        assert.ok(delaysUs.every((delayUs) => delayUs >= 5));
        assert.ok(new Set(delaysUs).size > 1);
      }),
    );
  });

  it('loses about as many packets as it is asked to', () => {
    const got = psnsOf({ seed: 1, packetLossProbability: 0.3 }, 10_000).length;
    assert.ok(Math.abs(got - 7000) < 200, `${got} of 10000`);
    assert.deepEqual(psnsOf({ packetLossProbability: 1 }), []);
  });

  it('replays packets', () => {
    assert.deepEqual(psnsOf({ packetReplayProbability: 1 }, 2), [0, 0, 1, 1]);
  });

  it('reorders packets and loses none', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const psns = psnsOf({ seed, packetReorderProbability: 0.5 });
        assert.notDeepEqual(psns, inOrder);
        assert.deepEqual(
          [...psns].sort((one, other) => one - other),
          inOrder,
        );
      }),
    );
  });

  it('does the same for the same seed, and something else for another', () => {
    const conditions = { oneWayDelayMeanUs: 9, packetLossProbability: 0.5, packetReorderProbability: 0.5 };
    assert.deepEqual(psnsOf({ ...conditions, seed: 3 }), psnsOf({ ...conditions, seed: 3 }));
    assert.notDeepEqual(psnsOf({ ...conditions, seed: 3 }), psnsOf({ ...conditions, seed: 4 }));
  });

  it('lets nothing through where it is cut, until it is healed', () => {
    const { network, arrived } = watched();
    network.cut('right', 'left');
    network.send(packet(1));
    network.heal();
    network.send(packet(2));
    assert.deepEqual(arrived, [[2, 0]]);
  });

  it('carries nothing from or to a port that is down, or that is not there', () => {
    const { network, arrived, ports } = watched();
    ports.left.isUp = false;
    network.send(packet(1));
    ports.left.isUp = true;
    ports.right.isUp = false;
    network.send(packet(2));
    network.send({ ...packet(3), to: { gid: 'nowhere', qpNum: 1 } });
    assert.deepEqual(arrived, []);
  });
});

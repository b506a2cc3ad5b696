import { Clock } from '../clock';
import type { Port } from '../device/port';
import { calm, type NetworkConditions } from './conditions';
import type { Packet } from './packet';
import { Random } from './random';

/** Virtual microseconds that a packet is held back at least, if others are to overtake it. */
const heldBackUs = 10;

/** What packets leave from and arrive at. */
export interface Endpoint {
  readonly port: Port;
  arrive(packet: Packet): void;
}

/**
 * Carries packets from port to port, in virtual time. Without conditions that say otherwise a packet arrives before
 * {@link send} returns, or, if that is called as another one arrives, right after that one.
 */
export class Network {
  readonly clock = new Clock();
  readonly conditions: NetworkConditions;
  readonly #random: Random;
  /** By GID. */
  readonly #endpoints = new Map<string, Endpoint>();
  /** When the last packet arrives of those that keep their order, by GIDs. */
  readonly #lastArrivalUs = new Map<string, number>();
  /** Pairs of GIDs between which nothing passes. */
  readonly #cuts = new Set<string>();
  /** What arrives now. */
  readonly #arriving: Packet[] = [];
  #isDelivering = false;

  constructor(conditions: Partial<NetworkConditions> = {}) {
    this.conditions = { ...calm, ...conditions };
    this.#random = new Random(this.conditions.seed);
  }

  /** Connects a device by the GID of its port. */
  attach(endpoint: Endpoint): void {
    this.#endpoints.set(endpoint.port.gid, endpoint);
  }

  /** Lets nothing pass any more between two ports, in neither direction. */
  cut(oneGid: string, otherGid: string): void {
    this.#cuts.add(pathOf(oneGid, otherGid)).add(pathOf(otherGid, oneGid));
  }

  /** Lets everything pass again. */
  heal(): void {
    this.#cuts.clear();
  }

  send(packet: Packet): void {
    if (!this.#isUp(packet.from.gid)) return;
    const { packetLossProbability, packetReplayProbability } = this.conditions;
    if (this.#happens(packetLossProbability)) return;
    this.#carry(packet);
    if (this.#happens(packetReplayProbability)) this.#carry(packet);
  }

  /** Nothing is drawn for what cannot happen. */
  #happens(probability: number): boolean {
    return probability > 0 && this.#random.happens(probability);
  }

  #carry(packet: Packet): void {
    const delayUs = this.#delayUs(packet);
    if (delayUs === undefined) {
      this.#deliver(packet);
      return;
    }
    this.clock.schedule(delayUs, () => {
      this.#deliver(packet);
    });
  }

  /** @returns how long the packet takes, or `undefined` if it takes no time, as all others do */
  #delayUs({ from, to }: Packet): number | undefined {
    const { oneWayDelayMinUs, oneWayDelayMeanUs, packetReorderProbability } = this.conditions;
    const varyingUs = Math.max(0, oneWayDelayMeanUs - oneWayDelayMinUs);
    const ownUs = oneWayDelayMinUs + (varyingUs > 0 ? this.#draw(varyingUs) : 0);
    if (this.#happens(packetReorderProbability)) return ownUs + heldBackUs + this.#draw(heldBackUs + varyingUs);
    if (varyingUs > 0) return this.#inOrder(pathOf(from.gid, to.gid), ownUs);
    return ownUs > 0 ? ownUs : undefined;
  }

  /** Whole microseconds, so many on average. */
  #draw(meanUs: number): number {
    return Math.round(this.#random.exponential(meanUs));
  }

  /** The delay with which a packet does not overtake those before it. */
  #inOrder(path: string, delayUs: number): number {
    const { nowUs } = this.clock;
    const arrivalUs = Math.max(nowUs + delayUs, this.#lastArrivalUs.get(path) ?? 0);
    this.#lastArrivalUs.set(path, arrivalUs);
    return arrivalUs - nowUs;
  }

  /** What a packet causes to be sent arrives after it, not within it. */
  #deliver(packet: Packet): void {
    this.#arriving.push(packet);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#arriving.shift(); next; next = this.#arriving.shift()) this.#hand(next);
    } finally {
      this.#isDelivering = false;
    }
  }

  #hand(packet: Packet): void {
    const { from, to } = packet;
    if (this.#cuts.size > 0 && this.#cuts.has(pathOf(from.gid, to.gid))) return;
    if (this.#isUp(to.gid)) this.#endpoints.get(to.gid)?.arrive(packet);
  }

  #isUp(gid: string): boolean {
    return this.#endpoints.get(gid)?.port.isUp ?? false;
  }
}

function pathOf(fromGid: string, toGid: string): string {
  return `${fromGid} ${toGid}`;
}

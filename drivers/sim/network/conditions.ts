/** What happens to packets on their way. Probabilities are those of a single packet. */
export interface NetworkConditions {
  /** Of all that is left to chance: the same seed and the same calls give the same run. */
  readonly seed: number;
  /** Virtual microseconds that a packet takes at least. */
  readonly oneWayDelayMinUs: number;
  /** Virtual microseconds that packets take on average; beyond the least the delay has an exponential distribution. */
  readonly oneWayDelayMeanUs: number;
  readonly packetLossProbability: number;
  /** That a packet arrives twice. */
  readonly packetReplayProbability: number;
  /** That a packet is held back, so that later ones overtake it. The others of a path keep their order. */
  readonly packetReorderProbability: number;
}

/** A network that loses nothing and takes no time. */
export const calm: NetworkConditions = {
  seed: 0,
  oneWayDelayMinUs: 0,
  oneWayDelayMeanUs: 0,
  packetLossProbability: 0,
  packetReplayProbability: 0,
  packetReorderProbability: 0,
};

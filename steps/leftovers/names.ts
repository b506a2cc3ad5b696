import { kinds, type Handle } from '../../drivers/contract';
import type { VerbsWorld } from '../world/world';

/** An object of a trace as the feature names it; one without a name has its handle. */
export function nameOfHandle({ cqs, qps, srqs }: VerbsWorld, handle: Handle): string {
  const named = [
    ...[...cqs.entries()].map(([name, cq]) => ({ words: kinds.cq.words, name, handle: cq.handle })),
    ...[...qps.entries()].map(([name, { qp }]) => ({ words: kinds.qp.words, name, handle: qp.handle })),
    ...[...srqs.entries()].map(([name, srq]) => ({ words: kinds.srq.words, name, handle: srq.handle })),
  ];
  const found = named.find((one) => one.handle === handle);
  return found === undefined ? handle : `${found.words} "${found.name}"`;
}

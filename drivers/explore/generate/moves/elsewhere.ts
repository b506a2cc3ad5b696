import { makeChannel, makeCq, makeSrq, openDevice } from '../objects';
import { Home, type Walk } from '../walk';
import { newPair } from './lifetimes';
import { move, type Moves } from './move';

/** Opens the device once more, and goes on in that context: what is under way in the other one is none of its business. */
async function openElsewhere(w: Walk): Promise<void> {
  const home = new Home(w.name('ctx'), w.name('pd'));
  w.homes.push(home);
  w.goTo(home);
  await openDevice(w);
  if (w.has('cq-notifications')) await makeChannel(w);
  for (let made = w.chance.between(1, 2); made > 0; made--) await makeCq(w);
  if (w.has('srq') && w.chance.happens(0.4)) await makeSrq(w);
  await newPair(w);
}

export const elsewhere: Moves = {
  'open-elsewhere': move(2, openElsewhere, ({ homes, qps, size }) => homes.length < 2 && qps.length < 5 && size < 70),
  'go-elsewhere': move(
    8,
    (w) => {
      const other = w.chance.pick(w.homes.filter((home) => home !== w.home));
      if (other !== undefined) w.goTo(other);
      return Promise.resolve();
    },
    ({ homes }) => homes.length > 1,
  ),
};

import { programLimits, type Op, type Program } from '../../programs/program';
import { closed } from '../shrink/closed';
import { Chance, seedOf } from './chance';

/** A program of a corpus with some operations left out, doubled, moved, or waited for; it need not make sense. */
export function mutated(programs: readonly Program[], seed: number, index: number): Program | undefined {
  const chance = new Chance(seedOf(seed, index));
  const program = chance.pick(programs);
  if (program === undefined) return undefined;
  let ops = [...program.ops];
  for (let changes = chance.between(1, 3); changes > 0; changes--) ops = changed(ops, chance);
  return { ...program, seed: `${seed}-${index}`, ops: closed(ops).slice(0, programLimits.ops) };
}

function changed(ops: readonly Op[], chance: Chance): Op[] {
  const at = chance.below(ops.length);
  const op = ops[at];
  if (op === undefined) return [...ops];
  switch (chance.below(4)) {
    case 0:
      return [...ops.slice(0, at), ...ops.slice(at + 1)];
    case 1:
      return 'as' in op ? [...ops] : [...ops.slice(0, at), op, op, ...ops.slice(at + 1)];
    case 2:
      return [...ops.slice(0, at), { settle: true }, ...ops.slice(at)];
    default: {
      const left = [...ops.slice(0, at), ...ops.slice(at + 1)];
      const to = Math.min(left.length, at + chance.between(1, 6));
      return 'as' in op ? [...ops] : [...left.slice(0, to), op, ...left.slice(to)];
    }
  }
}

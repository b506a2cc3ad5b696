import { dutName } from '../../programs/bindings';
import { isCall, isParallel, referencesIn, type Op } from '../../programs/program';

/** Leaves out what refers to names that nothing makes. */
export function closed(ops: readonly Op[]): Op[] {
  const made = new Set<string>([dutName]);
  const keep = (op: Op): Op | undefined => {
    if (isParallel(op)) {
      const par = op.par
        .map((thread) => thread.flatMap((one) => keep(one) ?? []))
        .filter((thread) => thread.length > 0);
      return par.length === 0 ? undefined : { par };
    }
    if (!isCall(op)) return op;
    if ([...referencesIn(op.args)].some(({ of }) => !made.has(of))) return undefined;
    if (op.as !== undefined) made.add(op.as);
    return op;
  };
  return ops.flatMap((op) => keep(op) ?? []);
}

import type { Binding } from './bindings';
import { callsOf, isPort, type Op, type PortOp, type Program } from './program';
import type { Names, WholeBackend, WholeRequest, WholeRun } from './whole';

/** What is executed by one request, and what comes before it. */
interface Part {
  readonly ops: readonly Op[];
  readonly port?: PortOp;
}

const nothing: Binding = { handle: null, outputs: {} };

/** Times of a program that is executed whole. */
type Times = Pick<WholeRequest, 'deadlineMs' | 'quietMs'>;

/**
 * Executes a program where the device is; by more than one request if it moves the link of the port, which is moved from
 * here.
 *
 * @returns what its calls came to up to the part that did not come to its end, or all of them; nothing if there is no answer
 */
export async function executeInParts(
  backend: WholeBackend,
  program: Program,
  times: Times,
): Promise<WholeRun | undefined> {
  const parts = partsOf(program.ops);
  const keep = callsOf(program).flatMap(({ as }) => as ?? []);
  const records: WholeRun['records'][number][] = [];
  let names: Names = {};
  let last: WholeRun | undefined;
  for (const [index, { ops, port }] of parts.entries()) {
    if (port !== undefined) await backend.setPortUp(port.port === 'up');
    const goesOn = index < parts.length - 1;
    const more = goesOn ? { goesOn, keep } : {};
    [last] = await backend.executeWhole({ programs: [{ ops }], ...times, names, ...more });
    if (last === undefined) return undefined;
    records.push(...last.records);
    if (last.refusal !== undefined || last.isLate || last.hangs) break;
    names = { ...names, ...madeNothing(ops), ...last.kept };
  }
  return last && { ...last, records };
}

/** The names of what calls were to make: what refers to one that has made nothing is not made either. */
function madeNothing(ops: readonly Op[]): Names {
  return Object.fromEntries(callsOf({ ops }).flatMap(({ as }) => (as === undefined ? [] : [[as, nothing] as const])));
}

/** A move of the link comes to an end in a settle. */
function partsOf(ops: readonly Op[]): readonly Part[] {
  const parts: { ops: Op[]; port?: PortOp }[] = [{ ops: [] }];
  for (const op of ops) {
    if (isPort(op)) parts.push({ ops: [{ settle: true }], port: op });
    else parts.at(-1)?.ops.push(op);
  }
  return parts;
}

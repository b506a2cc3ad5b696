import { callsOf, isPort, type Op, type PortOp, type Program } from './program';
import type { Names, WholeBackend, WholeRequest, WholeRun } from './whole';

/** What is executed by one request, and what comes before it. */
interface Part {
  readonly ops: readonly Op[];
  readonly port?: PortOp;
}

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
    names = last.kept;
  }
  return last && { ...last, records };
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

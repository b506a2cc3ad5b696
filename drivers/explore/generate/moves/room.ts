import { drain } from '../completions';
import { needsReceive, type Message } from '../work';
import type { Cq, Qp, Walk } from '../walk';

/** Makes room in the CQs for what messages may complete. @returns whether there is */
export async function makeRoom(w: Walk, qp: Qp, messages: readonly Pick<Message, 'opcode'>[]): Promise<boolean> {
  const needs = new Map<Cq, number>([[qp.sendCq, messages.length]]);
  const receives = messages.filter(({ opcode }) => needsReceive(opcode)).length;
  needs.set(qp.peer.recvCq, (needs.get(qp.peer.recvCq) ?? 0) + receives);
  for (const [cq, need] of needs) if (!(await makeRoomIn(w, cq, need))) return false;
  return true;
}

/** Makes room for so many CQEs, mostly to the last entry. @returns whether there is */
export async function makeRoomIn(w: Walk, cq: Cq, need: number): Promise<boolean> {
  if (w.isOverrun(cq)) return false;
  const size = Number(w.output(cq.name, 'cqe') ?? 0);
  if (need > size) return false;
  if (w.backlog(cq) + need <= size) return true;
  await w.settle();
  await drain(w, cq);
  return w.backlog(cq) + need <= size;
}

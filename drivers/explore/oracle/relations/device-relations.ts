import type { TraceStruct, TraceValue } from '../../../contract';
import { isRefusal } from '../../../pipeline/conventions';
import { stringsOf } from '../../../pipeline/values';
import type { ProgramRecord } from '../../../programs/program';
import { mtuBytes } from '../../../verbs/device';
import { foreignEvents } from '../../model/guided-events';
import type { Difference, Part } from '../difference';
import { firstOf, part, same } from '../parts';

type Records = readonly (ProgramRecord | undefined)[];

/**
 * Relations between answers of one program that every device keeps, whatever they are: it says the same of itself each time and
 * in each context, what it lets a QP use is in its tables, its time stamps have no more bits than it says, and no two QPs that
 * have not been destroyed have one number.
 */
export function brokenRelation(records: Records): Difference | undefined {
  const relations = new Relations(records);
  for (const [at, record] of records.entries()) {
    if (record === undefined || record.blocked === true || isRefusal(record.verb, record.returned)) continue;
    const broken = relations.see(record, at);
    if (broken !== undefined) return { at, verb: record.verb, ...broken };
  }
  return undefined;
}

/** What a port says alike as long as there is one, and as long as its link stays as it is. */
const ofPort = ['maxMtu', 'gidTblLen', 'pkeyTblLen', 'linkLayer'] as const;
const ofLink = ['activeMtu', 'lid'] as const;

class Relations {
  /** What a question was answered first. */
  readonly #first = new Map<string, TraceStruct>();
  /** The highest indices that QPs have used, by the port. */
  readonly #used = new Map<TraceValue, { gid: number; pkey: number }>();
  /** The port of each QP. */
  readonly #ports = new Map<TraceValue, TraceValue>();
  readonly #numbers: LivingNumbers;
  readonly #linkStays: boolean;
  #highestStamp = 0n;

  constructor(records: Records) {
    this.#numbers = new LivingNumbers(records);
    this.#linkStays = !records.some(showsLinkMoved);
  }

  see(record: ProgramRecord, at: number): Part | undefined {
    const { args, outputs, returned } = record;
    const verb: string = record.verb;
    switch (verb) {
      case 'ibv_query_device':
        return this.#compare(verb, outputs, Object.keys(outputs));
      case 'ibv_query_device_ex':
        return this.#compare(verb, outputs, Object.keys(outputs)) ?? this.#compareStamps(outputs);
      case 'ibv_query_port':
        return this.#queryPort(args.portNum ?? null, outputs);
      case 'ibv_modify_qp':
        return this.#modify(args);
      case 'ibv_wc_read_completion_ts':
        return this.#read(outputs);
      case 'ibv_create_qp':
        return this.#numbers.create(returned, outputs.qpNum ?? null, at);
      default:
        return undefined;
    }
  }

  /** A question that was asked before has the same answer, in any context: there is one device. */
  #compare(question: string, outputs: TraceStruct, members: readonly string[]): Part | undefined {
    const first = this.#first.get(question) ?? outputs;
    this.#first.set(question, first);
    return firstOf(members, (name) => same(name, first, outputs) && differenceOf(name, first, outputs));
  }

  #queryPort(port: TraceValue, outputs: TraceStruct): Part | undefined {
    const [most, active] = [bytesOf(outputs.maxMtu), bytesOf(outputs.activeMtu)];
    // An MTU that the header does not name has no bytes.
    if (most > 0 && active > most) return part('activeMtu', outputs.maxMtu ?? null, outputs.activeMtu ?? null);
    const members = this.#linkStays ? [...ofPort, ...ofLink] : ofPort;
    return this.#compare(questionOf(port), outputs, members) ?? this.#compareTables(port);
  }

  /** A table is longer than each index that a QP was let use. */
  #compareTables(port: TraceValue): Part | undefined {
    const { gidTblLen, pkeyTblLen } = this.#first.get(questionOf(port)) ?? {};
    const { gid = -1, pkey = -1 } = this.#used.get(port) ?? {};
    if (typeof gidTblLen === 'number' && gidTblLen <= gid) return part('gidTblLen', gid + 1, gidTblLen);
    return typeof pkeyTblLen === 'number' && pkeyTblLen <= pkey ? part('pkeyTblLen', pkey + 1, pkeyTblLen) : undefined;
  }

  #modify(args: TraceStruct): Part | undefined {
    const { qp = null, attr } = args;
    const { portNum, pkeyIndex, ahAttr } = attr as TraceStruct;
    const mask = new Set(stringsOf(args, 'attrMask'));
    if (mask.has('IBV_QP_PORT') && portNum !== undefined) this.#ports.set(qp, portNum);
    const port = this.#ports.get(qp);
    if (port === undefined) return undefined;
    const used = this.#used.get(port) ?? { gid: -1, pkey: -1 };
    this.#used.set(port, used);
    if (mask.has('IBV_QP_PKEY_INDEX')) used.pkey = Math.max(used.pkey, Number(pkeyIndex));
    const { isGlobal, grh } = (mask.has('IBV_QP_AV') ? (ahAttr ?? {}) : {}) as TraceStruct;
    if (isGlobal === true) used.gid = Math.max(used.gid, Number((grh as TraceStruct).sgidIndex));
    return this.#compareTables(port);
  }

  #read({ value }: TraceStruct): Part | undefined {
    if (typeof value !== 'bigint') return undefined;
    if (value > this.#highestStamp) this.#highestStamp = value;
    return this.#compareStamps(this.#first.get('ibv_query_device_ex') ?? {});
  }

  #compareStamps({ completionTimestampMask: mask }: TraceStruct): Part | undefined {
    const isBeyond = typeof mask === 'bigint' && mask > 0n && this.#highestStamp > mask;
    return isBeyond ? part('completionTimestampMask', this.#highestStamp, mask) : undefined;
  }
}

const bytesOf = (mtu: TraceValue | undefined): number => (typeof mtu === 'string' ? mtuBytes(mtu) : 0);

const questionOf = (port: TraceValue): string => `ibv_query_port ${Number(port)}`;

/** Lists of flags are alike if their flags are. */
function differenceOf(name: string, first: TraceStruct, outputs: TraceStruct): Part | undefined {
  const [expected, observed] = [first[name] ?? null, outputs[name] ?? null];
  const isAlike = Array.isArray(expected) && Array.isArray(observed) && String(expected) === String(observed);
  return isAlike ? undefined : part(name, expected, observed);
}

/** Whether the link may have come to another MTU or LID in a program: it was not up, or the port had an event. */
function showsLinkMoved(record: ProgramRecord | undefined): boolean {
  if (record?.verb === 'ibv_query_port' && record.returned === 0) return record.outputs.state !== 'IBV_PORT_ACTIVE';
  return record?.verb === 'ibv_get_async_event' && foreignEvents.has(record.outputs.eventType);
}

/** The numbers of QPs, and how long each is that of its QP for sure. */
class LivingNumbers {
  /** By the handle, where a QP that was to be destroyed is used last. */
  readonly #lastUses = new Map<TraceValue, number>();
  readonly #handles = new Map<TraceValue, TraceValue[]>();

  constructor(records: Records) {
    const destroyed = new Set<TraceValue>();
    const uses = new Map<TraceValue, number>();
    for (const [at, record] of records.entries()) {
      const { qp } = record?.args ?? {};
      if (record === undefined || qp === undefined) continue;
      // One that is refused is not that of a QP which has ended, nor is one that waits known to be.
      if (record.verb === 'ibv_destroy_qp' && (record.blocked === true || record.returned === 0)) destroyed.add(qp);
      else if (record.verb !== 'ibv_destroy_qp' && !isRefusal(record.verb, record.returned)) uses.set(qp, at);
    }
    for (const qp of destroyed) this.#lastUses.set(qp, uses.get(qp) ?? -1);
  }

  create(handle: TraceValue, number: TraceValue, at: number): Part | undefined {
    const others = this.#handles.get(number) ?? [];
    this.#handles.set(number, [...others, handle]);
    const isLiving = (other: TraceValue): boolean => (this.#lastUses.get(other) ?? Infinity) > at;
    return others.some(isLiving) ? part('qpNum', 'a number that no other QP has', number) : undefined;
  }
}

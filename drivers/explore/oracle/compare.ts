import { errnos, type TraceStruct } from '../../contract';
import { isRefusal, refusalOf } from '../../pipeline/conventions';
import { structsOf } from '../../pipeline/values';
import type { ProgramRecord } from '../../programs/program';
import { refusedSendStays } from '../generate/avoided';
import type { Guide } from '../model/guide';
import { foreignEvents } from '../model/guided-events';
import { differenceOfText } from './compare-text';
import { differenceOfWc, differenceOfReader } from './compare-wc';
import { differenceOfQp, differenceOfSrq } from './compare-queries';
import type { Part } from './difference';
import { atLeast, firstOf, part, same, sameFlags } from './parts';

/** Refusals whose errno POSIX or the page names. */
const namedErrnos: ReadonlySet<number> = new Set([errnos.EAGAIN, errnos.ENOENT]);

/** Compares what a call came to with what it comes to on the model. */
export function differenceOf(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  if (device.blocked === true || model.blocked === true) {
    const isAlike = device.blocked === model.blocked;
    return isAlike
      ? undefined
      : part(
          'returned',
          model.blocked ? 'nothing yet' : model.returned,
          device.blocked ? 'nothing yet' : device.returned,
        );
  }
  if (!isOfPort(device) && waits(guide, device) !== waits(guide, model))
    return part('waited', model.waited ?? 0, device.waited ?? 0);
  const refused = isRefusal(device.verb, device.returned);
  if (refused || isRefusal(model.verb, model.returned)) return differenceOfRefusal(guide, device, model, refused);
  return differenceOfReturned(device, model) ?? differenceOfOutputs(guide, device, model);
}

/** A call that waits for any event may get one that comes of what happens outside of the program, whenever that is. */
const isOfPort = ({ outputs }: ProgramRecord): boolean => foreignEvents.has(outputs.eventType);

/** Over how many settles a call waited, or only that it did. */
function waits(guide: Guide, { waited = 0 }: ProgramRecord): number {
  return guide.observation.countsWaits ? waited : Math.min(waited, 1);
}

function differenceOfRefusal(
  guide: Guide,
  device: ProgramRecord,
  model: ProgramRecord,
  refused: boolean,
): Part | undefined {
  const { verb, returned } = device;
  const errno = returnsErrno(verb) ? Number(returned) : device.errno;
  if (!refused || !isRefusal(model.verb, model.returned)) return part('returned', model.returned, returned);
  if (errno === 0) return part('errno', model.errno, errno);
  if (errno < 0) return part('returned', model.errno, errno);
  if (refusalOf(verb, errno) !== returned) return part('returned', refusalOf(verb, errno), returned);
  if (model.outputs.badWr !== undefined && !guide.isKnownFor(refusedSendStays)) {
    const found = same('badWr', model.outputs, device.outputs);
    if (found !== undefined) return found;
  }
  if (errno === model.errno) return undefined;
  if (namedErrnos.has(model.errno) && !guide.observation.excused.has(emptyGet(verb)))
    return part('errno', model.errno, errno);
  guide.ledger.take('errno-free');
  return undefined;
}

/** Whether the value that a function returns is what counts, and not errno itself. */
const returnsErrno = (verb: ProgramRecord['verb']): boolean => refusalOf(verb, errnos.EINVAL) === errnos.EINVAL;

const emptyGet = (verb: string): string => `${verb}.fd-nonblock-empty-get`;

function differenceOfReturned(device: ProgramRecord, model: ProgramRecord): Part | undefined {
  // Who reads members of a struct or of a completion, flags of a descriptor, or memory, looks at what was read.
  const reads = /^(struct|memory) |^ibv_wc_read_/.test(device.verb) || device.args.cmd === 'F_GETFL';
  if (reads && typeof model.returned !== 'string') return undefined;
  if (typeof model.returned === 'string') {
    return typeof device.returned === 'string' ? undefined : part('returned', model.returned, device.returned);
  }
  return model.returned === device.returned ? undefined : part('returned', model.returned, device.returned);
}

function differenceOfOutputs(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  const verb: string = device.verb;
  switch (verb) {
    case 'ibv_create_cq':
    case 'ibv_create_cq_ex':
      return atLeast('cqe', model.outputs, device.outputs);
    case 'ibv_create_qp':
      return differenceOfCap(device);
    case 'ibv_create_srq':
      return differenceOfSrqMade(device);
    case 'ibv_poll_cq':
      return differenceOfPoll(guide, device, model);
    case 'struct ibv_cq':
      return differenceOfCq(guide, device, model);
    case 'struct ibv_cq_ex':
      return differenceOfWc(guide, model.outputs, device.outputs, 'wc');
    case 'struct ibv_comp_channel':
      return (
        sameObject(guide, 'context', model.outputs, device.outputs) ??
        differenceOfDescriptor(guide, model.outputs, device.outputs)
      );
    case 'ibv_get_cq_event':
      return sameObject(guide, 'cq', model.outputs, device.outputs) ?? same('cqContext', model.outputs, device.outputs);
    case 'ibv_get_async_event':
      return (
        same('eventType', model.outputs, device.outputs) ?? sameObject(guide, 'element', model.outputs, device.outputs)
      );
    case 'ibv_query_port':
      return same('state', model.outputs, device.outputs);
    case 'ibv_query_qp':
      return differenceOfQp(guide, device, model);
    case 'ibv_query_srq':
      return differenceOfSrq(device, model);
    case 'memory read':
      return differenceOfBytes(guide, device, model);
    case 'poll':
      return sameFlags('revents', ['POLLIN'], model.outputs, device.outputs);
    case 'fcntl':
      return 'flags' in model.outputs ? sameFlags('flags', ['O_NONBLOCK'], model.outputs, device.outputs) : undefined;
    case 'ibv_event_type_str':
    case 'ibv_node_type_str':
    case 'ibv_port_state_str':
      return differenceOfText(guide, device, model);
    default:
      return verb.startsWith('ibv_wc_read_') ? differenceOfReader(guide, device, model) : undefined;
  }
}

/** A QP has at least what was asked for; of receives nothing is asked where it takes them from an SRQ. */
function differenceOfCap({ args, outputs }: ProgramRecord): Part | undefined {
  const { srq = null, cap } = args.qpInitAttr as TraceStruct;
  const asked = cap as TraceStruct;
  const names = Object.keys(asked).filter((name) => srq === null || !name.startsWith('maxRecv'));
  return firstOf(names, (name) => atLeast(name, asked, outputs.cap as TraceStruct));
}

/** ibv_create_srq(3): what was granted is no smaller than what was asked for. */
function differenceOfSrqMade({ args, outputs }: ProgramRecord): Part | undefined {
  const { attr } = args.srqInitAttr as TraceStruct;
  return firstOf(['maxWr', 'maxSge'], (name) => atLeast(name, attr as TraceStruct, outputs));
}

function differenceOfPoll(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  if (device.outputs.overflowed === true) return part('overflowed', false, true);
  const [expected, observed] = [structsOf(model.outputs, 'wc'), structsOf(device.outputs, 'wc')];
  for (const [index, wc] of observed.entries()) {
    const found = differenceOfWc(guide, expected[index] ?? {}, wc, `wc[${index}]`);
    if (found !== undefined) return found;
  }
  return expected.length === observed.length ? undefined : part('wc', expected.length, observed.length);
}

function differenceOfCq(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  const [expected, observed] = [model.outputs, device.outputs];
  return (
    sameObject(guide, 'context', expected, observed) ??
    sameObject(guide, 'channel', expected, observed) ??
    same('cqContext', expected, observed) ??
    same('cqe', expected, observed)
  );
}

/** A descriptor that was closed is the next to be given out: numbers go with those of the model where there is one context. */
function differenceOfDescriptor(
  guide: Guide,
  { fd: own = null }: TraceStruct,
  { fd = null }: TraceStruct,
): Part | undefined {
  if (guide.observation.calls.filter(({ call }) => call === 'ibv_open_device').length > 1) return undefined;
  const expected = guide.descriptors.get(own) ?? fd;
  guide.descriptors.set(own, expected);
  return expected === fd ? undefined : part('fd', expected, fd);
}

function differenceOfBytes(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  const found = same('bytes', model.outputs, device.outputs);
  if (found === undefined) return undefined;
  const [expected, observed] = [model, device].map(bytesOf);
  if (expected === undefined || observed?.length !== expected.length) return found;
  const addr = model.args.addr as bigint;
  for (const [index, byte] of observed.entries()) {
    if (byte === expected[index]) continue;
    const at = addr + BigInt(index);
    const reason = guide.partial.mayBe(at, byte) ? 'partial-message' : guide.heldBuffers.reasonAt(at, guide.epoch);
    if (reason === undefined) return found;
    guide.ledger.take(reason);
  }
  return undefined;
}

const bytesOf = ({ outputs }: ProgramRecord): Uint8Array => Buffer.from(outputs.bytes as string, 'hex');

/** Handles differ from device to device, names do not. */
function sameObject(guide: Guide, name: string, expected: TraceStruct, observed: TraceStruct): Part | undefined {
  const [wanted, value] = [expected[name] ?? null, observed[name] ?? null];
  if (typeof wanted === 'number' || wanted === null) return same(name, expected, observed);
  const [own, its] = [guide.nameOf('model', wanted), guide.nameOf('device', value)];
  return own === its ? undefined : part(name, own ?? wanted, its ?? value);
}

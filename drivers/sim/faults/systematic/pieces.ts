import type { PieceKind } from './operators';
import type { PartName, Registry } from './registry';
import { sampleModel } from './sample-model';

/** A piece of the model's state: a member of the objects of a class, also of the small objects that only they hold. */
export interface Piece {
  readonly part: PartName;
  readonly path: readonly string[];
  readonly kind: PieceKind;
  /** Whether it may be absent. */
  readonly isOptional: boolean;
  /** Texts, or lists of them, that it takes in the sample model. */
  readonly samples: readonly unknown[];
}

/** Members that are no state: what an object is made of, and where it is. */
const surroundings: ReadonlySet<string> = new Set(['parts', 'network', 'clock', 'device', 'model']);

/** Members that are left out, and why: wiring of the model, and what the pages with features say nothing of. */
export const leftOut: Readonly<Record<string, string>> = {
  'Descriptors.limitNow': 'of the process: setrlimit(2)',
  'Descriptors.openNumbers': 'of the process: a number is told once',
  'MemoryTable.allocated': 'of the pages of memory regions',
  'MemoryTable.mrs': 'of the pages of memory regions',
  'MemoryTable.windows': 'of the pages of memory windows',
  'Device.descriptors': 'wiring of the model',
  'Device.memory': 'wiring of the model',
  'Device.port.gid': 'of the pages of ports',
  'Device.port.portNum': 'of the pages of ports',
  'Device.port.activeMtu': 'of the pages of ports',
  'Device.port.isUp': 'of the pages of ports',
  'Device.numCompVectors': 'of the page ibv_open_device(3)',
  'Device.maxCqe': 'of the page ibv_query_device(3)',
  'Device.pkeys': 'of the page ibv_query_pkey(3)',
  'Device.contexts': 'of the page ibv_open_device(3)',
  'Device.qps': 'of the pages of QPs',
  'AsyncEvents.descriptor.fd': 'told once, when the context is made',
  'AsyncEvents.forgotten': 'wiring of the model: objects that have ended',
  'Context.asyncEvents': 'wiring of the model',
  'CompChannel.descriptor.fd': 'told once, when the channel is made',
  'CompChannel.context': 'wiring of the model',
  'CompChannel.cqs': 'wiring of the model: the other side of Cq.channel',
  'CqIterator.cq': 'wiring of the model',
  'CqIterator.wcFlags': 'counts when the CQ is made',
  'Cq.context': 'wiring of the model',
  'Cq.events': 'wiring of the model',
  'Cq.iterator': 'wiring of the model',
  'Cq.init.cqe': 'counts when the CQ is made: then it is its capacity',
  'Cq.init.cqContext': 'counts when the CQ is made: then it is its user context',
  'Cq.init.compVector': 'counts when the CQ is made',
  'Cq.init.wcFlags': 'counts when the CQ is made',
  'Cq.init.compMask': 'counts when the CQ is made',
  'Cq.init.flags': 'counts when the CQ is made',
  'Cq.init.ignoreOverrun': 'counts when the CQ is made',
  'Cq.moderation.gathered': 'how the model keeps time',
  'Srq.pd.context': 'wiring of the model',
  'Completions.qp': 'wiring of the model',
  'Transmitter.qp': 'wiring of the model',
  'Requester.qp': 'wiring of the model',
  'Requester.sends': 'of the pages of QPs',
  'Responder.qp': 'wiring of the model',
  'Qp.qpNum': 'of the pages of QPs',
  'Qp.init.pd.context': 'wiring of the model',
  'Qp.init.qpType': 'of the pages of QPs',
  'Qp.init.sendCq': 'of the pages of QPs',
  'Qp.init.recvCq': 'of the pages of QPs',
  'Qp.init.sqSigAll': 'of the pages of QPs',
  'Qp.init.srq': 'of the pages of QPs',
  'Qp.receives': 'wiring of the model',
  'Qp.completions': 'wiring of the model',
  'Qp.requester': 'wiring of the model',
  'Qp.responder': 'wiring of the model',
  'Qp.address.gid': 'wiring of the model',
  'Qp.address.qpNum': 'wiring of the model',
  'Qp.currentState': 'of the pages of QPs',
};

/** How deep the small objects of an object lie. */
const depthMax = 3;

/** Classes without state that a program could see. */
const stateless: ReadonlySet<PartName> = new Set(['Texts', 'ReturnValues', 'Verbs']);

/** `Cq.request`, `CompChannel.descriptor.flags`. */
export function nameOf({ part, path }: Pick<Piece, 'part' | 'path'>): string {
  return [part, ...path].join('.');
}

/** All pieces of state of the model, as its objects have them: a new member of a class is a new piece. */
export function piecesOfModel(): readonly Piece[] {
  return membersOfModel().filter((piece) => !(nameOf(piece) in leftOut));
}

/** ... with those that are left out. */
export function membersOfModel(): readonly Piece[] {
  const registry = sampleModel();
  const found = new Map<string, Found>();
  for (const part of registry.parts()) {
    if (stateless.has(part)) continue;
    for (const object of registry.of(part)) collect(object, { part, path: [] }, registry, found);
  }
  return [...found.values()].flatMap((one) => pieceOf(one, registry.of(one.part).length));
}

interface Found extends Pick<Piece, 'part' | 'path'> {
  readonly values: unknown[];
}

function collect(
  holder: object,
  { part, path }: Pick<Piece, 'part' | 'path'>,
  registry: Registry,
  found: Map<string, Found>,
): void {
  for (const [key, value] of Object.entries(holder)) {
    if (surroundings.has(key) || typeof value === 'function') continue;
    const place = { part, path: [...path, key] };
    if (isSmallObject(value, registry) && place.path.length < depthMax) collect(value, place, registry, found);
    else found.set(nameOf(place), { ...place, values: [...(found.get(nameOf(place))?.values ?? []), value] });
  }
}

/** Whether it belongs to whoever holds it. */
function isSmallObject(value: unknown, registry: Registry): value is object {
  if (typeof value !== 'object' || value === null || registry.has(value) || 'wc' in value) return false;
  return !Array.isArray(value) && !(value instanceof Set) && !(value instanceof Map) && !(value instanceof Uint8Array);
}

function pieceOf({ part, path, values }: Found, objects: number): Piece[] {
  const present = values.filter((value) => value !== undefined);
  const kinds = new Set(present.map(kindOf));
  const kind = kinds.has('list') ? 'list' : [...kinds][0]; // a list of nothing may be one of anything
  if (kind === undefined) return [];
  return [{ part, path, kind, isOptional: present.length < objects, samples: samplesOf(kind, present) }];
}

function kindOf(value: unknown): PieceKind {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'bigint') return 'word';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? 'flags' : 'list';
  if (value instanceof Uint8Array) return 'bytes';
  return value instanceof Set || value instanceof Map ? 'collection' : 'reference';
}

/** Values by which a text, or flags, may be something else. */
function samplesOf(kind: PieceKind, values: readonly unknown[]): readonly unknown[] {
  if (kind === 'text') return [...new Set(values)];
  if (kind !== 'flags') return [];
  const flags = (values as string[][]).filter(({ length }) => length > 0);
  return [...new Map(flags.map((list) => [list.join(), list])).values()];
}

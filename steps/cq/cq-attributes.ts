import type { DataTable } from '@cucumber/cucumber';
import { HarnessError, VerbsError, type Cq, type CqInitAttrEx } from '../../drivers/contract';
import { flagsOf, wordOf, type Row } from '../world/cells';
import type { VerbsWorld } from '../world/world';

/** Which verb creates a CQ: ibv_create_cq(3) or ibv_create_cq_ex(3). */
export type CqKind = 'a CQ' | 'an extended CQ';

/** An extended CQ as a scenario wants it; what it leaves out is 0 or nothing. */
type CqExWish = Partial<Omit<CqInitAttrEx, 'channel'>>;

const nothing = { cqe: 1, cqContext: 0n, compVector: 0, wcFlags: [], compMask: [], flags: [] };

/** Creates a CQ of either kind, which the clean-up destroys. */
export async function createCq(world: VerbsWorld, kind: CqKind, attr: CqExWish, channel?: string): Promise<Cq> {
  const context = await world.context();
  const complete = { ...nothing, ...attr };
  const compChannel = channel === undefined ? null : await world.channel(channel);
  if (kind === 'a CQ') return world.newCq(complete, compChannel);
  return world.keep('cq', world.driver.createCqEx(context, { ...complete, channel: compChannel }));
}

/** Creates a CQ with the attributes of a table, whose rows are members of struct ibv_cq_init_attr_ex. */
export async function createCqOf(world: VerbsWorld, kind: CqKind, table: DataTable): Promise<Cq> {
  const rows: Row = table.rowsHash();
  const unknown = Object.keys(rows).filter((name) => !members.includes(name));
  if (unknown.length > 0)
    throw new HarnessError(`unknown attribute ${unknown.join(', ')}`, `known: ${members.join(', ')}`);
  const {
    cqe,
    cq_context: cqContext,
    comp_vector: vector,
    wc_flags: wcFlags,
    comp_mask: compMask,
    flags: flagsCell,
  } = rows;
  const [flags, ...condition] = flagsCell?.split(ifPossible) ?? [];
  const attr: CqExWish = {
    ...(cqe !== undefined && { cqe: Number(wordOf(cqe)) }),
    ...(cqContext !== undefined && { cqContext: wordOf(cqContext) }),
    ...(vector !== undefined && { compVector: await compVectorOf(world, vector) }),
    ...(wcFlags !== undefined && { wcFlags: flagsOf(wcFlags) }),
    ...(compMask !== undefined && { compMask: flagsOf(compMask) }),
    ...(flags !== undefined && { flags: flagsOf(flags) }),
  };
  const create = (wanted: CqExWish): Promise<Cq> => createCq(world, kind, wanted, rows.channel);
  return condition.length === 0 ? create(attr) : create(attr).catch(withoutFlags(() => create({ ...attr, flags: [] })));
}

/** Follows flags that a device may refuse; it is then asked for a CQ without them. */
const ifPossible = ', if the device can do so';

function withoutFlags(create: () => Promise<Cq>): (error: unknown) => Promise<Cq> {
  return (error) => {
    if (error instanceof VerbsError) return create();
    throw error;
  };
}

const members = ['cqe', 'cq_context', 'channel', 'comp_vector', 'wc_flags', 'comp_mask', 'flags'];

/** A completion vector as a feature gives it: a number, or by the number of vectors that the context has. */
export async function compVectorOf(world: VerbsWorld, text: string): Promise<number> {
  const { numCompVectors } = await world.context();
  if (text === 'num_comp_vectors') return numCompVectors;
  return text === 'num_comp_vectors - 1' ? numCompVectors - 1 : Number(text);
}

/** One entry more than any CQ of the device can have: ibv_query_device(3). */
export async function tooManyEntries(world: VerbsWorld): Promise<number> {
  return (await world.driver.queryDevice(await world.context())).maxCqe + 1;
}

/** Entries that the CQ has now, after a resize as well. */
export async function entriesOf(world: VerbsWorld, cq: Cq): Promise<number> {
  return (await world.driver.readCq(cq)).cqe;
}

import { bool, gid, object, struct, u16, u32, u8 } from './idl';
import type { Contract } from './kinds';
import { verb } from './verb';

/** struct ibv_global_route: the Global Routing Header of messages. */
const globalRoute = struct(
  'ibv_global_route',
  {
    /** GID of the peer. */
    dgid: gid,
    /** Index of the own GID in the port's table. */
    sgidIndex: u8,
    hopLimit: u8,
  },
  { flowLabel: u32, trafficClass: u8 },
  ['dgid', 'flowLabel', 'sgidIndex', 'hopLimit', 'trafficClass'],
);

/** struct ibv_ah_attr: the path to a peer, by LID on InfiniBand, with a GRH by GID on every link layer. */
export const ahAttr = struct(
  'ibv_ah_attr',
  {
    grh: globalRoute,
    /** LID of the peer's port; 0 where the link layer has none. */
    dlid: u16,
    /** Whether messages have a GRH. */
    isGlobal: bool,
    portNum: u8,
  },
  { sl: u8, srcPathBits: u8, staticRate: u8 },
  ['grh', 'dlid', 'sl', 'srcPathBits', 'staticRate', 'isGlobal', 'portNum'],
);
export interface AhAttr extends Contract<typeof ahAttr> {}

/** Address handles. */
export const ahVerbs = {
  /** ibv_create_ah(3). */
  createAh: verb({
    c: 'ibv_create_ah',
    page: 'ibv_create_ah(3)',
    fails: 'null',
    makes: 'ah',
    in: [{ pd: object('pd') }, { attr: ahAttr }],
  }),
  /** ibv_destroy_ah(3). */
  destroyAh: verb({
    c: 'ibv_destroy_ah',
    page: 'ibv_create_ah(3)',
    fails: 'errno',
    ends: 'ah',
    in: [{ ah: object('ah') }],
  }),
};

/**
 * Prints the active MTU of each port of each device that libibverbs lists, as JSON, and ends: `{"rxe0":{"1":1024}}`.
 * A process of its own, because a provider may crash or hang.
 */
import { numberOf, stringOf, structsOf } from '../../pipeline/values';
import { loadAddon, type VerbSet } from './addon';
import type { RawResult } from '../../pipeline/backend';
import { mtuBytes, type TraceStruct } from '../../contract';

const addon = loadAddon();
const output = addon.claimStdout();
const { verbs } = addon.createVerbs();
addon.writeLine(output, JSON.stringify(activeMtus(verbs)));
addon.exit(0);

function activeMtus(set: VerbSet['verbs']): Record<string, Record<string, number>> {
  const call = (verb: string, args: TraceStruct): RawResult | undefined => {
    const result = set[verb]?.(args);
    return result instanceof Promise || result?.returned === null ? undefined : result;
  };
  const devices = structsOf(call('ibv_get_device_list', {})?.outputs ?? { devices: [] }, 'devices');
  const names = devices.map((device) => stringOf(device, 'name'));
  return Object.fromEntries(names.map((device) => [device, mtusOf(device, call)]));
}

function mtusOf(
  device: string,
  call: (verb: string, args: TraceStruct) => RawResult | undefined,
): Record<string, number> {
  const context = call('ibv_open_device', { device })?.returned;
  if (typeof context !== 'string') return {};
  const attr = call('ibv_query_device', { context });
  const ports = Array.from(
    { length: attr?.returned === 0 ? numberOf(attr.outputs, 'physPortCnt') : 0 },
    (_, i) => i + 1,
  );
  const mtus = ports.flatMap((portNum) => {
    const port = call('ibv_query_port', { context, portNum });
    return port?.returned === 0 ? [[portNum, mtuBytes(stringOf(port.outputs, 'activeMtu'))] as const] : [];
  });
  call('ibv_close_device', { context });
  return Object.fromEntries(mtus);
}

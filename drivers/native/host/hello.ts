import { release } from 'node:os';
import { JSONRPCErrorCode, JSONRPCErrorException } from 'json-rpc-2.0';
import type { RawResult } from '../../pipeline/backend';
import { errnoName, mtuBytes, type Dut, type DutPort, type Handle, type TraceStruct } from '../../contract';
import { choosePkey, limitedRemedy, limitedText } from '../../pipeline/pkeys';
import { numberOf, stringOf, structsOf } from '../../pipeline/values';
import type { Addon, VerbSet } from './addon';
import { loadedFiles, mixtureOf } from './loaded-rdma-core';
import { errorCodes, type DescribedDut, type ErrorData, type HelloParams } from '../protocol';
import { RdmaCore } from '../linux/rdma-core';
import { modulesOf } from '../linux/kernel-modules';
import { distributionOf } from '../linux/os-release';
import { Sysfs } from '../linux/sysfs';
import { taintOf } from '../linux/taint';
import { providerName, rdmaCoreVersion } from '../linux/versions';

/** Reads the params of `hello`. @throws JSONRPCErrorException if they are not what the protocol says */
export function helloParamsOf(params: unknown): HelloParams {
  const { session, device, portNum, gidIndex, rdmaCore, ...others } = (params ?? {}) as Record<string, unknown>;
  if (Object.keys(others).length > 0) invalid(`unknown parameter ${Object.keys(others).join(', ')}`);
  if (typeof device !== 'string') invalid('parameter device must be a string');
  if (rdmaCore !== undefined && typeof rdmaCore !== 'string') invalid('parameter rdmaCore must be a string');
  return {
    session: numberParam('session', session),
    device,
    portNum: numberParam('portNum', portNum),
    gidIndex: numberParam('gidIndex', gidIndex),
    ...(rdmaCore !== undefined && { rdmaCore }),
  };
}

/**
 * Describes the device that the client names, and opens it for no longer than that takes.
 *
 * @throws JSONRPCErrorException if the device does not exist or cannot be used
 */
export function describeDevice(addon: Addon, hello: HelloParams, sysfs = new Sysfs()): DescribedDut {
  const probe = new DeviceProbe(addon.createVerbs(), hello, sysfs);
  const transport = probe.transport();
  return probe.withContext((context, providerPath) => {
    if (hello.rdmaCore !== undefined) demandWhole(new RdmaCore(hello.rdmaCore), addon.libraryPath(), providerPath);
    const attr = probe.mustCall('ibv_query_device', { context });
    const port = probe.port(context, numberOf(attr, 'physPortCnt'));
    const provider = providerName(providerPath) ?? sysfs.kernelDriverOf(hello.device);
    return {
      hcaId: hello.device,
      transport,
      fwVer: stringOf(attr, 'fwVer'),
      nodeGuid: stringOf(attr, 'nodeGuid'),
      vendorId: numberOf(attr, 'vendorId'),
      vendorPartId: numberOf(attr, 'vendorPartId'),
      hwVer: numberOf(attr, 'hwVer'),
      physPortCnt: numberOf(attr, 'physPortCnt'),
      port,
      provider,
      kernel: release(),
      rdmaCore: rdmaCoreVersion(addon.libraryPath()),
      ...optionalFactsOf(sysfs, hello.device, provider),
    };
  });
}

/** What is known of a device's environment on some machines only. */
function optionalFactsOf(
  sysfs: Sysfs,
  device: string,
  provider: string,
): Pick<Dut, 'distribution' | 'modules' | 'taint'> {
  const distribution = distributionOf(sysfs);
  const modules = modulesOf(sysfs, device, provider);
  const taint = taintOf(sysfs.read('proc/sys/kernel/tainted'));
  return {
    ...(distribution !== '' && { distribution }),
    ...(modules.length > 0 && { modules }),
    ...(taint !== undefined && { taint }),
  };
}

/** Two versions of rdma-core in one process would make verdicts that are true of neither. */
function demandWhole(asked: RdmaCore, library: string | null, provider: string | null): void {
  const mixture = mixtureOf(asked, { library, provider, files: loadedFiles() });
  const remedy = process.getuid?.() === 0 ? undefined : 'run as root, who can hide what is installed';
  if (mixture !== undefined) fail(errorCodes.unusableHost, mixture, remedy);
}

const noGid = '0000:0000:0000:0000:0000:0000:0000:0000';

/** Enough of a GID table to choose from; a port may have thousands of entries. */
const gidsListedMax = 16;

class DeviceProbe {
  constructor(
    readonly set: VerbSet,
    readonly hello: HelloParams,
    readonly sysfs: Sysfs,
  ) {}

  call(verb: string, args: TraceStruct): RawResult {
    const result = this.set.verbs[verb]?.(args);
    if (result === undefined || result instanceof Promise)
      throw new Error(`${verb} is not a verb that returns at once`);
    return result;
  }

  mustCall(verb: string, args: TraceStruct): TraceStruct {
    const { returned, errno, outputs } = this.call(verb, args);
    if (returned !== null && (returned === 0 || typeof returned === 'string')) return outputs;
    return unusable(`${verb}() of ${this.hello.device} failed with ${errnoName(errno)}`, remedies[errnoName(errno)]);
  }

  /** The transport of the device, once it is known to exist. */
  transport(): string {
    const list = this.call('ibv_get_device_list', {});
    const devices = list.returned === null ? [] : structsOf(list.outputs, 'devices');
    const device = devices.find((candidate) => stringOf(candidate, 'name') === this.hello.device);
    if (device !== undefined) return stringOf(device, 'transportType');
    const names = devices.map((candidate) => stringOf(candidate, 'name'));
    const others =
      names.length > 0
        ? `there are ${names.join(', ')}`
        : `libibverbs lists none${list.returned === null ? ` (${errnoName(list.errno)})` : ''}`;
    return fail(
      errorCodes.noDevice,
      `there is no RDMA device "${this.hello.device}": ${others}`,
      remedyForNoDevice(names),
    );
  }

  withContext<T>(use: (context: Handle, providerPath: string | null) => T): T {
    const opened = this.call('ibv_open_device', { device: this.hello.device });
    const context = opened.returned;
    if (typeof context !== 'string') {
      const errno = errnoName(opened.errno);
      return unusable(`${this.hello.device} cannot be opened: ${errno}`, remedies[errno]);
    }
    try {
      return use(context, this.set.providerPath(context));
    } finally {
      this.call('ibv_close_device', { context });
    }
  }

  port(context: Handle, physPortCnt: number): DutPort {
    const { device, portNum, gidIndex } = this.hello;
    if (portNum < 1 || portNum > physPortCnt) {
      return unusable(`${device} has no port ${portNum}`, `choose a port from 1 to ${physPortCnt} with --ib-port`);
    }
    const attr = this.mustCall('ibv_query_port', { context, portNum });
    const state = stringOf(attr, 'state');
    if (state !== 'IBV_PORT_ACTIVE') {
      const remedy = 'connect the port or set its network interface up, and wait until `rdma link` shows it as ACTIVE';
      return unusable(`port ${portNum} of ${device} is not active but ${state}`, remedy);
    }
    const pkeyIndex = this.pkeyIndex(context, numberOf(attr, 'pkeyTblLen'));
    const gidType = this.sysfs.gidTypeOf(device, portNum, gidIndex);
    return {
      portNum,
      state,
      linkLayer: stringOf(attr, 'linkLayer'),
      maxMtu: mtuBytes(stringOf(attr, 'maxMtu')),
      activeMtu: mtuBytes(stringOf(attr, 'activeMtu')),
      lid: numberOf(attr, 'lid'),
      gidIndex,
      gid: this.gid(context, numberOf(attr, 'gidTblLen')),
      ...(pkeyIndex !== 0 && { pkeyIndex }),
      ...(gidType !== '' && { gidType }),
      netdev: this.sysfs.netdevOf(device, portNum, gidIndex),
    };
  }

  gid(context: Handle, gidTblLen: number): string {
    const { device, portNum, gidIndex } = this.hello;
    const gid = this.gidAt(context, gidIndex, gidTblLen);
    if (gid !== undefined) return gid;
    const there: string[] = [];
    for (let index = 0; index < gidTblLen && there.length < gidsListedMax; index++) {
      const other = this.gidAt(context, index, gidTblLen);
      if (other !== undefined) there.push(`${index} (${other})`);
    }
    const remedy =
      there.length > 0
        ? `choose one of ${there.join(', ')} with --gid-index`
        : 'give the network interface of the port an address';
    return unusable(`port ${portNum} of ${device} has no GID at index ${gidIndex}`, remedy);
  }

  pkeyIndex(context: Handle, pkeyTblLen: number): number {
    const { device, portNum } = this.hello;
    const chosen = choosePkey(this.pkeys(context, pkeyTblLen));
    if ('index' in chosen) return chosen.index;
    return unusable(limitedText(portNum, device, chosen.limitedAlone), limitedRemedy);
  }

  /** The P_Keys of the port, as long as somebody asks; one that cannot be read is none. */
  *pkeys(context: Handle, pkeyTblLen: number): Iterable<number> {
    for (let index = 0; index < pkeyTblLen; index++) {
      const { returned, outputs } = this.call('ibv_query_pkey', { context, portNum: this.hello.portNum, index });
      yield returned === 0 ? numberOf(outputs, 'pkey') : 0;
    }
  }

  gidAt(context: Handle, index: number, gidTblLen: number): string | undefined {
    if (index < 0 || index >= gidTblLen) return undefined;
    const { returned, outputs } = this.call('ibv_query_gid', { context, portNum: this.hello.portNum, index });
    if (returned !== 0) return undefined;
    const gid = stringOf(outputs, 'gid');
    return gid === noGid ? undefined : gid;
  }
}

const remedies: Partial<Record<string, string>> = {
  EACCES: 'run as root or give yourself access to /dev/infiniband/uverbs*',
  EPERM: 'run as root or give yourself access to /dev/infiniband/uverbs*',
  ENOENT: 'load the kernel module ib_uverbs',
};

function remedyForNoDevice(names: readonly string[]): string {
  return names.length > 0
    ? 'choose one with --ib-dev'
    : 'check `rdma link` and that ibverbs-providers and the kernel module ib_uverbs are there';
}

function numberParam(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0x7fffffff) {
    return invalid(`parameter ${name} must be an integer from 0 to 2147483647`);
  }
  return value;
}

function invalid(message: string): never {
  throw new JSONRPCErrorException(message, JSONRPCErrorCode.InvalidParams);
}

function unusable(message: string, remedy: string | undefined): never {
  return fail(errorCodes.unusableDevice, message, remedy);
}

function fail(code: number, message: string, remedy: string | undefined): never {
  const data: ErrorData | undefined = remedy === undefined ? undefined : { remedy };
  throw new JSONRPCErrorException(message, code, data);
}

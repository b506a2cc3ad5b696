import { createColors } from 'picocolors';
import { activeMtus } from '../../drivers/native/host/active-mtus';
import { rdmaDevices } from '../../drivers/native/host/devices';
import { oneLine } from '../../catalog/plain-text';
import { hasColors } from '../common/colors';
import type { DiagnosedDevice } from './doctor-report';

/** GIDs of a port that are listed; some devices have hundreds. */
const gidsListedMax = 16;

type Colors = ReturnType<typeof createColors>;

/** The RDMA devices of this machine, with what `verbspec run` has to be given for each. */
export function diagnosedDevices(): DiagnosedDevice[] {
  const devices = rdmaDevices();
  const mtus = devices.length === 0 ? {} : activeMtus();
  return devices.map(({ name, ports }) => ({
    name,
    ports: ports.map((port) => {
      const activeMtu = mtus[name]?.[port.port];
      return activeMtu === undefined ? port : { ...port, activeMtu };
    }),
  }));
}

/** The devices in lines, with colours where they go to a terminal. */
export function devicesText(devices: readonly DiagnosedDevice[], stream: { readonly isTTY?: boolean }): string[] {
  return deviceLines(devices, createColors(hasColors(stream)));
}

function deviceLines(devices: readonly DiagnosedDevice[], pc: Colors): string[] {
  return [
    pc.bold('RDMA devices'),
    ...devices.flatMap(({ name, ports }) => ports.flatMap((port) => portLines(name, port, pc))),
  ];
}

function portLines(device: string, port: DiagnosedDevice['ports'][number], pc: Colors): string[] {
  const { state, linkLayer, netdev, activeMtu, gids, gidIndex } = port;
  const facts = [state, linkLayer, netdev, ...(activeMtu === undefined ? [] : [`active MTU ${activeMtu}`])];
  const widest = Math.max(...gids.map(({ gid }) => gid.length));
  const listed = gids.slice(0, gidsListedMax).map(({ index, gid, type, netdev: behind }) => {
    return `      -x ${String(index).padEnd(4)} ${oneLine(gid).padEnd(widest)}  ${oneLine(type)}  ${oneLine(behind)}`.trimEnd();
  });
  const more = gids.length - listed.length;
  const choice = `-d ${oneLine(device)}${port.port === 1 ? '' : ` -i ${port.port}`} -x ${gidIndex}`;
  return [
    `  ${oneLine(`${device} port ${port.port}: ${facts.filter((fact) => fact !== '').join(', ')}`)}`,
    ...listed,
    ...(more > 0 ? [`      … and ${more} more`] : []),
    ...(gidIndex === undefined || state !== 'ACTIVE'
      ? []
      : [`    ${pc.bold(`npx verbspec run --driver hca ${choice}`)}`]),
  ];
}

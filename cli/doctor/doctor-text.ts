import { createColors } from 'picocolors';
import type { Check } from '../../drivers/support/checks';
import { oneLine } from '../../catalog/plain-text';
import { hasColors } from '../common/colors';
import type { DiagnosedDevice, Diagnosis, DoctorReport } from './doctor-report';

/** GIDs of a port that are listed; some devices have hundreds. */
const gidsListedMax = 16;

type Colors = ReturnType<typeof createColors>;

/** A report in text, with colours where it goes to a terminal. */
export function doctorText({ drivers, devices }: DoctorReport, stream: { readonly isTTY?: boolean }): string {
  const pc = createColors(hasColors(stream));
  const parts = [
    ...drivers.map((diagnosis) => driverLines(diagnosis, pc)),
    ...(devices.length > 0 ? [deviceLines(devices, pc)] : []),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const places = { host: " on this machine's kernel", vm: ' in a VM' };

function driverLines({ driver, kernel, ok, checks }: Diagnosis, pc: Colors): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const place = kernel === undefined ? '' : places[kernel];
  return [
    pc.bold(`${driver}${place}: ${ok ? 'can run' : 'cannot run'}`),
    ...checks.flatMap((one) => checkLines(one, width, pc)),
  ];
}

function checkLines({ name, status, found, remedy }: Check, width: number, pc: Colors): string[] {
  const paint = { ok: pc.green, missing: pc.red, optional: pc.yellow };
  const line = `  ${paint[status](status.padEnd(8))}  ${name.padEnd(width)}  ${oneLine(found)}`;
  return remedy === undefined ? [line] : [line, `            ${pc.bold(oneLine(remedy))}`];
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

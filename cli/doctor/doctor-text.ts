import { createColors } from 'picocolors';
import type { Check } from '../../drivers/support/checks';
import { oneLine } from '../../catalog/plain-text';
import { hasColors } from '../common/colors';
import { devicesText } from './doctor-devices';
import type { Diagnosis, DoctorReport } from './doctor-report';

type Colors = ReturnType<typeof createColors>;

/** A report in text, with colours where it goes to a terminal. */
export function doctorText({ drivers, devices }: DoctorReport, stream: { readonly isTTY?: boolean }): string {
  const pc = createColors(hasColors(stream));
  const parts = [
    ...drivers.map((diagnosis) => driverLines(diagnosis, pc)),
    ...(devices.length > 0 ? [devicesText(devices, stream)] : []),
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

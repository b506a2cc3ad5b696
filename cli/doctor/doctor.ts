import { diagnosedDevices } from './doctor-devices';
import type { Diagnosis, DoctorReport } from './doctor-report';
import { UsageError } from '../../drivers/contract';
import { installCommand, nodeCheck, optional, checkOf, type Check } from '../../drivers/support/checks';
import { checks as hca } from '../../drivers/hca/checks';
import { hostChecks, vmChecks } from '../../drivers/soft-roce/checks';
import { findJava, misleadingJavaHome } from '../../reports/allure/allure-html';
import { printableJson } from '../../catalog/plain-text';
import { doctorText } from './doctor-text';

/** What a driver needs beside what all do. */
type Way = Pick<Diagnosis, 'driver' | 'kernel'> & { readonly checks: () => readonly Check[] };

const ways: readonly Way[] = [
  { driver: 'sim', checks: () => [] },
  { driver: 'soft-roce', kernel: 'host', checks: hostChecks },
  { driver: 'soft-roce', kernel: 'vm', checks: vmChecks },
  { driver: 'hca', checks: hca },
];

/**
 * Tells for each driver what is missing here, and the command that fixes it.
 *
 * @returns the exit code: 0 if all of the drivers can run, 3 otherwise
 */
export function doctor(drivers: readonly string[], json: boolean, device?: string): number {
  const report = diagnose(drivers, device);
  process.stdout.write(json ? `${printableJson(report, 2)}\n` : doctorText(report, process.stdout));
  return report.ok ? 0 : 3;
}

/**
 * @param device - the only device to look at
 * @throws UsageError for a driver or a device that there is not
 */
export function diagnose(drivers: readonly string[], device?: string): DoctorReport {
  const known = [...new Set(ways.map(({ driver }) => driver))];
  const unknown = drivers.find((driver) => !known.includes(driver));
  if (device !== undefined && drivers.length > 0 && !drivers.includes('hca'))
    throw new UsageError('--ib-dev names a device of the driver hca', 'use `verbspec doctor hca -d NAME`');
  if (unknown !== undefined) throw new UsageError(`unknown driver "${unknown}"`, `the drivers are ${known.join(', ')}`);
  const asked = drivers.length > 0 ? drivers : known;
  const diagnoses = ways.filter(({ driver }) => asked.includes(driver)).map(diagnosisOf);
  const ok = asked.every((name) => diagnoses.some(({ driver, ok: can }) => driver === name && can));
  return {
    schemaVersion: 1,
    ok,
    drivers: diagnoses,
    devices: asked.includes('hca') ? devicesNamed(diagnosedDevices(), device) : [],
  };
}

/** Those of the devices that are asked for. @throws UsageError if there is none of that name */
export function devicesNamed(devices: DoctorReport['devices'], device?: string): DoctorReport['devices'] {
  if (device === undefined) return devices;
  const own = devices.filter(({ name }) => name === device);
  if (own.length > 0) return own;
  const names = devices.map(({ name }) => name).join(', ');
  throw new UsageError(
    `there is no RDMA device "${device}"`,
    names === '' ? 'this machine has none' : `there are ${names}`,
  );
}

function diagnosisOf({ driver, kernel, checks: look }: Way): Diagnosis {
  const checks = [nodeCheck(), ...look(), javaCheck()];
  return { driver, ...(kernel && { kernel }), ok: checks.every(({ status }) => status !== 'missing'), checks };
}

/** Without Java a run is complete except for the HTML of its report. */
function javaCheck(): Check {
  const name = 'Java, for the HTML report';
  const path = findJava();
  const home = misleadingJavaHome();
  const found = home === undefined ? (path ?? 'missing') : `JAVA_HOME is ${home}, without bin/java`;
  const remedy = home === undefined ? installCommand('default-jre-headless') : 'unset JAVA_HOME';
  return optional(checkOf(name, path !== undefined, found, remedy));
}

import pc from 'picocolors';
import { UsageError } from '../drivers/contract';
import { installCommand, type Check } from '../drivers/checks';
import { checks as hca } from '../drivers/hca/checks';
import { checks as sim } from '../drivers/sim/checks';
import { checks as softRoce } from '../drivers/soft-roce/checks';
import { findJava } from '../reports/allure-html';

const checksOf: Readonly<Record<string, () => readonly Check[]>> = { sim, 'soft-roce': softRoce, hca };

/** What one driver needs, and whether it can run. */
interface Diagnosis {
  readonly driver: string;
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/**
 * Tells for each driver what is missing here, and the command that mends it.
 *
 * @returns the exit code: 0 if all of the drivers can run, 3 otherwise
 */
export function doctor(drivers: readonly string[], json: boolean): number {
  const known = Object.keys(checksOf);
  const unknown = drivers.find((driver) => !known.includes(driver));
  if (unknown !== undefined) throw new UsageError(`unknown driver "${unknown}"`, `the drivers are ${known.join(', ')}`);
  const diagnoses = (drivers.length > 0 ? drivers : known).map(diagnose);
  process.stdout.write(json ? `${JSON.stringify(diagnoses, undefined, 2)}\n` : `${diagnoses.map(textOf).join('\n')}\n`);
  return diagnoses.every(({ ok }) => ok) ? 0 : 3;
}

function diagnose(driver: string): Diagnosis {
  const checks = checksOf[driver]?.() ?? [];
  return { driver, ok: checks.every(({ ok }) => ok), checks: [...checks, javaCheck()] };
}

/** Without Java a run is complete but for the HTML of its report, so it keeps no driver from running. */
function javaCheck(): Check {
  const what = 'Java, for the HTML report';
  const path = findJava();
  if (path !== undefined) return { what, ok: true, found: path, remedy: '' };
  const { JAVA_HOME: home = '' } = process.env;
  return home === ''
    ? { what, ok: false, found: 'missing', remedy: installCommand('default-jre-headless') }
    : { what, ok: false, found: `JAVA_HOME is ${home}, without bin/java`, remedy: 'unset JAVA_HOME' };
}

function textOf({ driver, ok, checks }: Diagnosis): string {
  const width = Math.max(...checks.map(({ what }) => what.length));
  const lines = checks.map((check) => {
    const line = `  ${check.ok ? pc.green('ok     ') : pc.red('missing')}  ${check.what.padEnd(width)}  ${check.found}`;
    return check.ok ? line : `${line}\n           ${pc.bold(check.remedy)}`;
  });
  return [pc.bold(`${driver}: ${ok ? 'can run' : 'cannot run'}`), ...lines, ''].join('\n');
}

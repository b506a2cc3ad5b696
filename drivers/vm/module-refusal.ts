import { HarnessError } from '../contract';
import { causeOfPanic } from './kernel-log';
import type { ModuleChoice } from './kernels/module-file';

/**
 * What a kernel has against a module of the user's that it was to load, or `undefined` if that is not what went wrong.
 *
 * @param lines - all that the kernel has logged
 */
export function moduleRefusalOf(
  { rdmaLink, file }: ModuleChoice,
  release: string,
  lines: readonly string[],
): HarnessError | undefined {
  if (file === undefined) return undefined;
  const panic = causeOfPanic(lines);
  if (panic !== undefined && hasBegun(rdmaLink.module, lines)) {
    const place = lines.map((line) => /RIP: \w+:(\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
    const where = place === undefined ? '' : `, in ${place}`;
    return new HarnessError(`kernel ${release} died of ${file.path}: ${plain(panic)}${where}`, 'fix the module');
  }
  const cause = causeOfRefusal(rdmaLink.module, lines);
  if (cause === undefined) return undefined;
  return new HarnessError(
    `kernel ${release} does not load ${file.path}: ${plain(cause)}`,
    'build it from the sources and headers of that kernel, as ci/kernel-module.sh does',
  );
}

/** Whether the module was loaded, or about to be: a kernel that dies lists its modules, this one the first. */
function hasBegun(module: string, lines: readonly string[]): boolean {
  return lines.some((line) => isOf(module, line) || new RegExp(`Modules linked in:.* ${module}\\b`).test(line));
}

/** The kernel's own word on a module that it refuses, or else that of the program that loads it. */
function causeOfRefusal(module: string, lines: readonly string[]): string | undefined {
  const refused = lines.findIndex((line) => line.includes(`verbspec: cannot load module ${module}: `));
  if (refused < 0) return undefined;
  const own = lines.slice(0, refused).filter((line) => isOf(module, line) && !line.includes('taint'));
  return own.find((line) => /Unknown symbol|disagrees about version/.test(line)) ?? own.at(-1) ?? lines[refused];
}

function isOf(module: string, line: string): boolean {
  return new RegExp(`(?:^|\\s|\\])${module}: `).test(line) && !line.includes('verbspec: ');
}

/** Without the time stamp. */
function plain(line: string): string {
  return line.replace(/^\[\s*\d+\.\d+\]\s*/, '').trim();
}

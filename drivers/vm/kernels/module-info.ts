import { sectionOf } from './elf';

/** What a kernel module says of itself. */
export interface ModuleInfo {
  readonly name: string;
  /** Release and configuration of the kernel that it is built for. */
  readonly vermagic: string;
}

/** Reads the section .modinfo of a module. @returns `undefined` if it is not a module for x86-64 */
export function moduleInfo(image: Buffer): ModuleInfo | undefined {
  const entries = new Map(
    (sectionOf(image, '.modinfo')?.toString('latin1') ?? '').split('\0').flatMap((entry) => {
      const at = entry.indexOf('=');
      return at < 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1).trim()]];
    }),
  );
  const name = entries.get('name');
  return name === undefined ? undefined : { name, vermagic: entries.get('vermagic') ?? '' };
}

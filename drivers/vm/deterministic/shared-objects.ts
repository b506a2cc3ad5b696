import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HarnessError } from '../../contract';
import type { ArchiveFile } from '../cpio';

/** The loader of x86-64 programs, by the path that they all have in them. */
const loader = 'lib64/ld-linux-x86-64.so.2';

/** Where Debian's libibverbs looks for its providers, and for what tells their names. */
const providerFolder = 'usr/lib/x86_64-linux-gnu/libibverbs';
const configFolder = 'etc/libibverbs.d';

/** Programs with all that they load: shared objects in lib/, and the provider of libibverbs where that looks for it. */
export function programsWithLibraries(programs: readonly string[], provider: string): ArchiveFile[] {
  const plugin = pluginOf(provider);
  const objects = new Map([...programs, plugin].flatMap(sharedObjectsOf).map((path) => [basename(path), path]));
  const config = `${configFolder}/${provider}.driver`;
  return [
    ...programs.map((path) => ({ path: `bin/${basename(path)}`, data: readFileSync(path), executable: true })),
    ...[...objects].map(([name, path]) => ({
      path: name === basename(loader) ? loader : `lib/${name}`,
      data: readFileSync(path),
      executable: true,
    })),
    { path: plugin.slice(1), data: readFileSync(plugin), executable: true },
    { path: config, data: readFileSync(`/${config}`) },
  ];
}

function pluginOf(provider: string): string {
  const name = readdirSync(`/${providerFolder}`).find((file) => file.startsWith(`lib${provider}-rdmav`));
  if (name === undefined) throw new HarnessError(`libibverbs has no provider ${provider}`, 'install ibverbs-providers');
  return join('/', providerFolder, name);
}

/** Paths of the shared objects that a program or another one loads, by ldd(1). */
function sharedObjectsOf(path: string): string[] {
  const told = execFileSync('ldd', [path], { encoding: 'utf8' });
  const missing = /^\s*(\S+) => not found/m.exec(told)?.[1];
  if (missing !== undefined) throw new HarnessError(`${path} needs ${missing}, which is not on this machine`);
  return [...told.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(/gm)].flatMap(([, file]) => file ?? []);
}

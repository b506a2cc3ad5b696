import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const loaded = ['catalog', 'ci', 'cli', 'drivers', 'features', 'reports', 'steps'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * Copies the project without what set-up has compiled and without results; its packages are those of the project.
 *
 * @param copy - folder, which is not there yet
 */
export function copyProject(copy: string): void {
  const results = join(root, 'reports', 'out');
  for (const name of [...loaded, ...files]) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (source) => source !== results });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

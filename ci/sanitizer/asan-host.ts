import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../cli/common/project';

/** The host program whose addon has the sanitizer; `ci/sanitizer/asan.sh` builds it. */
export const asanHostProgram = join(root, 'build/asan/build/host/drivers/native/host/host.js');

/** Environment of a host process with the sanitizer, which has to be loaded before all else. */
export function asanEnvironment(): Readonly<Record<string, string>> {
  const library = execFileSync('gcc', ['-print-file-name=libasan.so'], { encoding: 'utf8' }).trim();
  return { LD_PRELOAD: library, ASAN_OPTIONS: 'detect_leaks=0:exitcode=99' };
}

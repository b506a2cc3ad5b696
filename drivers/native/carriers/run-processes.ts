import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that a host process and all that it starts inherit: the run that they are of. */
const runVariable = 'VERBSPEC_REMOTE_RUN';

/** Environment of the processes of a run. */
export function environmentOf(run: string): NodeJS.ProcessEnv {
  return { ...process.env, [runVariable]: run };
}

/** Numbers of the living processes of a run, also of those that have left their process group. */
export function processesOf(run: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOf(run, name))
    .map(Number);
}

/** Kills the processes of a run. One that the kernel holds stays until the kernel lets it go. */
export function killProcessesOf(run: string): void {
  for (const pid of processesOf(run)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error; // ESRCH: it has ended meanwhile
    }
  }
}

/** A process that has ended, and those of others, have no environment to read. */
function isOf(run: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${runVariable}=${run}`);
  } catch {
    return false;
  }
}

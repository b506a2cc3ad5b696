import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { placeOf, type ChosenScenario } from '../../cli/reproduce/recorded-scenario';
import { reproducer } from '../../cli/reproduce/reproducer';
import { UsageError } from '../../drivers/contract';
import { root } from '../../cli/common/project';

/** A program, how it is to be run, and the exit code that it has to have. */
export interface Trial {
  readonly what: string;
  /** The compiled program. */
  readonly program: string;
  readonly environment: readonly string[];
  readonly code: 0 | 1;
}

/** A program that ran in the VM. */
export interface TrialResult extends Trial {
  readonly ended: number;
  /** Its last line. */
  readonly said: string;
}

/** The path of a compiled program, or why there is none. */
export type Made = { readonly program: string } | { readonly refusal: string };

/** A folder that the VM sees: its /tmp is its own. */
export function freshFolder(): string {
  const folder = join(root, 'reports', 'out', 'reproduce');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Makes the program of a scenario, without a warning of the compiler, nor of clang where there is one.
 */
export async function compiled(chosen: ChosenScenario, folder: string, name: string): Promise<Made> {
  const { uri, line } = chosen.entry;
  const program = join(folder, `${name}-${basename(uri, '.feature')}-${line}`);
  try {
    writeFileSync(`${program}.c`, await reproducer(chosen, false));
  } catch (error) {
    if (error instanceof UsageError) return { refusal: `${placeOf(chosen.entry)}: ${error.message}` };
    throw error;
  }
  compileWith('cc', program, program);
  if (hasClang()) compileWith('clang', program, '/dev/null');
  return { program };
}

/** Whether there is a second compiler, whose warnings are others. CI does without it: `apt-get install clang`. */
export function hasClang(): boolean {
  return spawnSync('clang', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** @throws if the compiler warns */
function compileWith(compiler: string, program: string, out: string): void {
  const warnings = ['-Wall', '-Wextra', '-Werror'];
  execFileSync(compiler, [...warnings, '-O1', '-o', out, `${program}.c`, '-libverbs', '-pthread'], {
    stdio: 'inherit',
  });
}

/** Runs a program, moves the link of the port when it asks for it, and prints how it ended and its last line. */
const trialFunction = `
move() { busybox ip link set dev "$(cat /sys/class/infiniband/rxe0/parent)" "$1"; }
trial() {
  number=$1
  shift
  { "$@" 2>&1; echo "$?" >/tmp/code; } | while read -r line; do
    echo "$line"
    case $line in
      'take the link of the port down now'*) move down ;;
      'take the link of the port up now'*) move up ;;
    esac
  done >/tmp/said
  move up
  echo "trial $number $(cat /tmp/code) $(tail -n 1 /tmp/said)"
}
`;

/** Runs programs one after the other in a VM, on a sound rdma_rxe. */
export function runInVm(trials: readonly Trial[], folder: string, kernel: string): TrialResult[] {
  const script = join(folder, 'trials.sh');
  const lines = trials.map(({ program, environment }, index) => {
    const command = ['env', ...environment, 'timeout', '90', program, 'rxe0', '1', '1'].map(quoted).join(' ');
    return `trial ${index} ${command}`;
  });
  writeFileSync(script, `${trialFunction}${lines.join('\n')}\n`);
  const command = ['-r', './ci/typescript.js', 'drivers/vm/in-vm.ts', '--kernel', kernel, '--', 'sh', script];
  const { stdout } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return trials.map((trial, index) => {
    const [, ended = '-1', said = ''] = new RegExp(`^trial ${index} (\\d+) (.*)$`, 'm').exec(stdout) ?? [];
    return { ...trial, ended: Number(ended), said: said.trim() };
  });
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { installCommand } from '../../support/checks';
import type { RemoteTarget } from './remote-target';

/** Seconds between the questions of ssh whether the other side is there, and how many may stay without an answer. */
const alive = { intervalSeconds: 4, countMax: 3 };

/** A word that nobody can guess, of digits and letters alone. */
export function secretWord(): string {
  return `verbspec${randomBytes(16).toString('hex')}`;
}

/** What {@link sshArguments} makes a command of. */
export interface RemoteCommand {
  readonly session: number;
  readonly run: string;
  readonly marker: string;
}

/**
 * The arguments of ssh that start the far side. The command there is a line for the user's shell, of the words of this
 * file, digits, secret words, and a folder that {@link RemoteTarget} has checked.
 */
export function sshArguments({ destination, folder }: RemoteTarget, { session, run, marker }: RemoteCommand): string[] {
  const options = {
    BatchMode: 'yes',
    ConnectTimeout: '20',
    ServerAliveInterval: String(alive.intervalSeconds),
    ServerAliveCountMax: String(alive.countMax),
  };
  const program = `${folder}/build/host/drivers/native/host/remote-host.js`;
  return [
    '-T', // no terminal
    '-e',
    'none', // and no character that means something to ssh
    ...ownConfig(),
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    '--',
    destination,
    `exec node ${program} --session ${session} --run ${run} --marker ${marker}`,
  ];
}

function ownConfig(): string[] {
  const { VERBSPEC_SSH_CONFIG: config = '' } = process.env;
  return config === '' ? [] : ['-F', config];
}

/** Milliseconds that ssh may take to read its configuration. */
const configDeadlineMs = 10_000;

/** The machines behind an alias, as the user's configuration of ssh has them: its own name, and those on the way to it. */
export function machinesBehind({ destination }: RemoteTarget): string[] {
  const args = ['-G', ...ownConfig(), '--', destination];
  const { stdout, status } = spawnSync('ssh', args, { encoding: 'utf8', timeout: configDeadlineMs });
  if (status !== 0) return [];
  const values = [...stdout.matchAll(/^(?:hostname|hostkeyalias|proxyjump) (.+)$/gm)].map(([, value = '']) => value);
  return values.flatMap((value) => value.split(',')).map((jump) => jump.replace(/^(?:ssh:\/\/)?(?:.*@)?|:\d+$/g, ''));
}

/** What the user can do about a far side that did not start, by what ssh or the far side said. */
export function remedyFor(words: string, { destination, folder }: RemoteTarget): string {
  const remedies: readonly (readonly [RegExp, string])[] = [
    [/ENOENT/, `run \`${installCommand('openssh-client')}\``],
    [/REMOTE HOST IDENTIFICATION/, `find out why the key of ${destination} changed, then fix known_hosts`],
    [/Host key verification failed/, `connect once by hand with \`ssh ${destination}\`, and accept its key`],
    [/Permission denied/, `let \`ssh -o BatchMode=yes ${destination}\` log in with a key that asks for no passphrase`],
    [/\bnode\b.*(not found|unknown command)/i, `let \`ssh ${destination} node --version\` find Node.js 20 or newer`],
    [
      /Cannot find module|not built/,
      `clone verbspec to ${folder} on ${destination} and run \`npm run setup\` there, or name its folder with ` +
        '--host USER@HOST:PATH',
    ],
    [/the kernel holds/, `see \`dmesg\` on ${destination}`],
  ];
  const found = remedies.find(([pattern]) => pattern.test(words));
  return found?.[1] ?? `see whether \`ssh ${destination}\` works`;
}

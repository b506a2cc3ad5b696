/**
 * Runs a command of verbspec with `--host` to this very machine, where the device is: over a real ssh connection, with
 * the host process of this clone. What follows is for `verbspec run`.
 */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { Command } from '../../cli/fixtures/command';
import { SshServer } from '../../drivers/native/fixtures/ssh-server';

const clone = resolve(__dirname, '..', '..');

async function main(options: readonly string[]): Promise<number | null> {
  const server = new SshServer();
  try {
    await server.listen();
    const run = ['run', '--driver', 'hca', '--host', `tester@testhost:${clone}`, ...options];
    const { code, stdout, stderr } = await Command.finished(run, { VERBSPEC_SSH_CONFIG: server.config });
    process.stdout.write(`${stderr}${stdout}`);
    assert.equal(server.commands.length, 1, 'the host process is started once');
    return code;
  } finally {
    await server.close();
  }
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code ?? 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);

/**
 * Shows `--module` in the VM: a module that fits is loaded, named and judged; one for another kernel, or that asks for a
 * symbol that there is not, is refused with the reason. They are copies of the kernel's own.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { resolveKernel } from '../../drivers/vm/kernels/kernel';
import { parseVerdicts } from '../../reports/judge/verdicts';

const kernel = '6.1';
const symbol = 'ib_register_device';
/** Ends a signed module; a signature that does not fit is refused, and none is not. */
const signed = '~Module signature appended~';
const absent = 'ib_register_nobody';
const folder = mkdtempSync(join(tmpdir(), 'verbspec-own-module-'));

async function main(): Promise<void> {
  const { modulesDir, release } = await resolveKernel(kernel, (line) => void process.stderr.write(`${line}\n`));
  const stock = readFileSync(join(modulesDir, 'rdma_rxe.ko'));
  const own = stock.includes(signed) ? replaced(stock, signed, signed.toUpperCase()) : stock;

  expectRun('fits.ko', own, 0, /module fits\.ko/);
  const { dut } = parseVerdicts(readFileSync(join(folder, 'out/verdicts.json'), 'utf8'));
  assert.equal(dut.module?.name, 'rdma_rxe');
  expectRun('lacks.ko', replaced(own, `${symbol}\0`, `${absent}\0`), 3, /Unknown symbol ib_register_nobody/);
  expectRun(
    'other.ko',
    replaced(own, `vermagic=${release}`, `vermagic=${release.replace('6', '5')}`),
    2,
    /is built for "5\./,
  );
}

function expectRun(name: string, image: Buffer, exitCode: number, told: RegExp): void {
  const module = join(folder, name);
  writeFileSync(module, image);
  const run = ['run', '--driver', 'soft-roce', '--kernel', kernel, '--module', module, '--out', join(folder, 'out')];
  const options = {
    cwd: resolve(__dirname, '..', '..'),
    encoding: 'utf8',
    env: { ...process.env, JAVA_HOME: '/nonexistent' }, // the report is not what is shown here
    stdio: ['ignore', 'pipe', 'pipe'],
  } as const;
  const args = ['cli/verbspec.js', ...run, 'ibv_req_notify_cq.one-shot'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...options, stdio: [...options.stdio] });
  const text = `${stdout}${stderr}`;
  assert.equal(status, exitCode, text);
  assert.match(text.replace(/\s+/g, ' '), told);
  process.stdout.write(`${name}: exit code ${exitCode}, as expected\n`);
}

function replaced(image: Buffer, from: string, to: string): Buffer {
  assert.ok(image.includes(from, 0, 'latin1'), from);
  assert.equal(from.length, to.length);
  return Buffer.from(image.toString('latin1').replaceAll(from, to), 'latin1');
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => {
    rmSync(folder, { recursive: true });
  });

/**
 * Shows in the VM that a module which ci/kernel-module.sh has built with --edges records what runs of it, and nothing else:
 * neither a map of which nothing is set nor one of which all is set comes through. It builds the module first; by hand:
 *
 *     node -r ./ci/typescript.js ci/on-rxe/edges-on-rxe.ts [KERNEL]
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What is read of an edges.json. */
interface Recorded {
  readonly edges: number;
  readonly reached: number;
  readonly functions: readonly { readonly name: string; readonly edges: readonly { readonly reached: boolean }[] }[];
}

/** What does without a function of the driver, and what takes it. The trials of the device take most of the others. */
const selections = {
  without: 'ibv_event_type_str.port-state-str',
  withIt: 'ibv_get_async_event.event-srq-limit',
} as const;
const functionOfOne = 'rxe_modify_srq';
/** It makes the device, and no scenario can do without it. */
const functionOfAll = 'rxe_newlink';
/** Nothing here attaches a QP to a multicast group. */
const functionOfNone = 'rxe_attach_mcast';

const root = resolve(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'verbspec-edges-'));
const recording = join(folder, 'rdma_rxe.ko');

function main(kernel = '6.1'): void {
  run(join(root, 'ci', 'kernel-module.sh'), ['--edges', kernel, 'rxe', recording]);
  const [without, withIt] = Object.values(selections).map((selection) => recorded(kernel, selection));
  assert.ok(without !== undefined && withIt !== undefined);
  assert.equal(entered(without, functionOfOne), false, `${functionOfOne} in the first run`);
  assert.equal(entered(withIt, functionOfOne), true, `${functionOfOne} in the second run`);
  for (const one of [without, withIt]) {
    assert.equal(entered(one, functionOfAll), true, functionOfAll);
    assert.equal(entered(one, functionOfNone), false, functionOfNone);
    assert.ok(one.reached > one.edges / 20 && one.reached < one.edges * 0.9, `${one.reached} of ${one.edges} edges`);
  }
  exploreShowsBoth(kernel);
}

function exploreShowsBoth(kernel: string): void {
  const out = join(folder, 'explore');
  const edges = ['--coverage', '--edges', join(folder, selections.withIt, 'edges.json')];
  const options = ['--driver', 'soft-roce', '--kernel', kernel, '--module', recording, '--programs', '3', '--out', out];
  const said = run(process.execPath, ['cli/verbspec.js', 'explore', ...options, ...edges]);
  assert.match(said, /^edges of rdma_rxe: [\d,]+ in all, explore \d+\.\d %, scenarios \d+\.\d %, [\d,]+ reached by/m);
  process.stdout.write(`${said.split('\n').find((line) => line.startsWith('edges of')) ?? ''}\n`);
}

function recorded(kernel: string, selection: string): Recorded {
  const out = join(folder, selection);
  const options = ['--driver', 'soft-roce', '--kernel', kernel, '--module', recording, '--out', out];
  const said = run(process.execPath, ['cli/verbspec.js', 'run', ...options, selection]);
  const [line] = /^edges .*$/m.exec(said) ?? assert.fail(said);
  process.stdout.write(`${selection}: ${line}\n`);
  return JSON.parse(readFileSync(join(out, 'edges.json'), 'utf8')) as Recorded;
}

function entered({ functions }: Recorded, name: string): boolean {
  const found = functions.find((one) => one.name === name) ?? assert.fail(`there is no function ${name}`);
  return found.edges.some(({ reached }) => reached);
}

/** The report is not what is shown here, so there is no Java. */
function run(program: string, args: readonly string[]): string {
  const env = { ...process.env, JAVA_HOME: '/nonexistent' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', env });
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

try {
  main(...process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

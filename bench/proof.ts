/**
 * What a proof costs as the specification grows: CPU of `verbspec prove` from nothing, with 1, 4 and 10 times the pages,
 * and what it costs again when nothing has changed. Pages are multiplied with their rules, scenarios and faults under other
 * names: `npm run bench:proof [FACTOR...]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pageFiles } from '../catalog/page-data';
import { faults } from '../drivers/sim/faults';
import { copyProject } from './copied-project';

const factorsUsually = [1, 4, 10];

/** Adds pages beside the ten, and their faults beside the planted ones. */
function multiply(project: string, factor: number): void {
  const pages = pageFiles('clauses');
  for (let copy = 2; copy <= factor; copy++) {
    const folder = join(project, 'features', `copy${copy}`);
    mkdirSync(folder);
    for (const { page, path } of pages) {
      const renamed = (text: string): string => text.replace(/\b(ibv_[a-z_]+)(?=\.[a-z])/g, `$1_x${copy}`);
      const feature = readFileSync(join(project, 'features', path.replace(/clauses\.json$/, 'feature')), 'utf8');
      const clauses = readFileSync(join(project, 'features', path), 'utf8');
      writeFileSync(join(folder, `${page}_x${copy}.feature`), renamed(feature));
      writeFileSync(join(folder, `${page}_x${copy}.${basename(path).replace(/^[^.]*\./, '')}`), renamed(clauses));
    }
  }
  const module = join(project, 'drivers', 'sim', 'faults.ts');
  const before = readFileSync(module, 'utf8');
  writeFileSync(module, before.replace('export const faults:', 'const planted:') + copiesOfFaults(factor));
}

function copiesOfFaults(factor: number): string {
  return `
export const faults: Readonly<Record<string, Fault>> = Object.fromEntries(
  Array.from({ length: ${factor} }, (_, index) => (index === 0 ? '' : \`_x\${index + 1}\`)).flatMap((suffix) =>
    Object.entries(planted).map(([name, fault]) => [
      name + suffix,
      { ...fault, rules: fault.rules.map((rule) => rule.replace('.', \`\${suffix}.\`)) },
    ]),
  ),
);
`;
}

/** Seconds of CPU of a proof and all its processes. @throws if it does not prove */
function cpuOfProof(project: string, cache: string): number {
  const command = `"$0" cli/verbspec.js prove --out "$1" > "$1.txt" || { tail "$1.txt" >&2; exit 1; }; times`;
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const args = ['-c', command, process.execPath, join(cache, 'proof-file')];
  const text = execFileSync('sh', args, { cwd: project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const [, ofChildren = ''] = text.trim().split('\n');
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
}

const given = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'verbspec-bench-proof-'));
try {
  let single: number | undefined;
  for (const factor of given.length === 0 ? factorsUsually : given) {
    const project = join(folder, `times-${factor}`);
    const cache = join(folder, `cache-${factor}`);
    mkdirSync(cache);
    copyProject(project);
    multiply(project, factor);
    const anew = cpuOfProof(project, cache);
    const again = cpuOfProof(project, cache);
    single ??= anew / factor;
    const count = Object.keys(faults).length * factor;
    process.stdout.write(
      `${factor} x the pages, ${count} faults: ${anew.toFixed(0)} s of CPU from nothing, ${again.toFixed(0)} s again; ` +
        `a fault costs ${(anew / factor / single).toFixed(2)} of what it costs with the fewest\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Checks what comes from others: the packages in package-lock.json, their licences and scripts, and that CONTRIBUTING.md
 * names those that are used.
 *
 *     node -r ./ci/typescript.js ci/supply/supply.ts
 *
 * It reads files alone. Whether a package has a known vulnerability, `npm audit` asks the registry.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { preProcessFile } from 'typescript';

/** A package in package-lock.json, as far as it matters here. */
interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

/** What ci/supply/argued-packages.json argues. */
interface Argued {
  readonly licences: readonly string[];
  readonly otherLicences: readonly {
    readonly package: string;
    readonly licence: string;
    readonly development: boolean;
    readonly reason: string;
  }[];
  readonly installScripts: readonly { readonly package: string; readonly reason: string }[];
}

/** All that the checks read. */
export interface Supply {
  readonly manifest: {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  /** By path, `node_modules/eta`. */
  readonly locked: Readonly<Record<string, LockedPackage>>;
  readonly argued: Argued;
  readonly npmrc: string;
  readonly contributing: string;
  /** What users run, by path. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Folders of which users run what is not a test. */
const usersFolders = ['cli', 'drivers', 'catalog', 'reports', 'steps'];

/** Reads the project in `root`. */
export function readSupply(root: string): Supply {
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const files = usersFolders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/fixtures\//.test(file));
  return {
    manifest: JSON.parse(read('package.json')) as Supply['manifest'],
    locked: Object.fromEntries(Object.entries(packages).filter(([path]) => path !== '')),
    argued: JSON.parse(read('ci/supply/argued-packages.json')) as Argued,
    npmrc: read('.npmrc'),
    contributing: read('CONTRIBUTING.md'),
    sources: Object.fromEntries(files.map((file) => [file, read(file)])),
  };
}

/** @returns what does not hold, each in a line */
export function problemsOf(supply: Supply): readonly string[] {
  return [
    ...originProblems(supply),
    ...versionProblems(supply),
    ...tableProblems(supply),
    ...licenceProblems(supply),
    ...scriptProblems(supply),
    ...importProblems(supply),
  ];
}

/** npm leaves out the addresses of the default registry, so what has one comes from elsewhere. */
function originProblems({ locked }: Supply): string[] {
  return Object.entries(locked).flatMap(([path, { integrity, resolved }]) => [
    ...(integrity?.startsWith('sha512-') ? [] : [`package-lock.json: ${path} has no SHA-512 checksum`]),
    ...(resolved === undefined ? [] : [`package-lock.json: ${path} comes from ${resolved}, not from the registry`]),
  ]);
}

function versionProblems({ manifest }: Supply): string[] {
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
    .map(([name, version]) => `package.json: the version of ${name}, ${version}, is not exact`);
}

/** The first column names packages in code spans, those of a scope that stands in the same row without it. */
function tableProblems({ manifest, contributing }: Supply): string[] {
  const table = contributing.slice(contributing.indexOf('\n## Dependencies\n'));
  const firstCells = [...table.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) => cell);
  const named = new Set(firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)));
  const used = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const short = (name: string): string => name.replace(/^@[^/]+\//, '');
  return [
    ...used
      .filter((name) => !named.has(name) && !named.has(short(name)))
      .map((name) => `CONTRIBUTING.md: the table of dependencies lacks ${name}`),
    ...[...named]
      .filter((name) => !used.some((one) => one === name || short(one) === name))
      .map((name) => `CONTRIBUTING.md: the table of dependencies has ${name}, which is none`),
  ];
}

function licenceProblems({ locked, argued }: Supply): string[] {
  const others = Object.entries(locked)
    .map(([path, { license = 'unknown', dev = false }]) => ({ name: nameOf(path), licence: license, dev }))
    .filter(({ licence }) => !argued.licences.includes(licence));
  const unargued = others.filter(
    ({ name, licence, dev }) =>
      !argued.otherLicences.some(
        (entry) => entry.package === name && entry.licence === licence && (dev || !entry.development),
      ),
  );
  const needless = argued.otherLicences.filter((entry) => !others.some(({ name }) => name === entry.package));
  return [
    ...unargued.map(({ name, licence, dev }) => {
      const scope = dev ? 'for development' : 'which users install';
      return `licence of ${name}, ${scope}: ${licence} is not argued in ci/supply/argued-packages.json`;
    }),
    ...needless.map(
      (entry) => `ci/supply/argued-packages.json: the licence of ${entry.package} needs no argument any more`,
    ),
  ];
}

function scriptProblems({ locked, argued, npmrc }: Supply): string[] {
  const scripted = Object.entries(locked)
    .filter(([, { hasInstallScript = false }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  const listed = argued.installScripts.map((entry) => entry.package);
  return [
    ...(/^ignore-scripts=true$/m.test(npmrc) ? [] : ['.npmrc: npm would run install scripts of packages']),
    ...scripted
      .filter((name) => !listed.includes(name))
      .map(
        (name) => `install script of ${name}: why it can do without is not argued in ci/supply/argued-packages.json`,
      ),
    ...listed
      .filter((name) => !scripted.includes(name))
      .map((name) => `ci/supply/argued-packages.json: ${name} has no install script any more`),
  ];
}

/** What is installed for development alone is missing where users run it. */
function importProblems({ manifest, sources }: Supply): string[] {
  const there = new Set([...Object.keys(manifest.dependencies), ...builtinModules]);
  return Object.entries(sources).flatMap(([file, text]) =>
    preProcessFile(text)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => !/^(\.|node:)/.test(name))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
      .filter((name) => !there.has(name))
      .map((name) => `${file} imports ${name}, which is none of the dependencies that users install`),
  );
}

/** `node_modules/one/node_modules/@a/b` is `@a/b`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function main(): void {
  const supply = readSupply(join(__dirname, '..', '..'));
  const problems = problemsOf(supply);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const { length } = Object.keys(supply.locked);
  process.stdout.write(problems.length === 0 ? `${length} packages: nothing to object to\n` : '');
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (require.main === module) main();

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { soundParts } from '../../drivers/sim/device/device';
import { root } from '../common/project';

/** Folders and files that have a say in how a scenario runs and is judged; tests in them have none. */
const deciding = [
  'drivers/contract',
  'drivers/verbs',
  'drivers/pipeline',
  'drivers/support',
  'drivers/sim',
  'steps',
  'catalog',
  'reports/diagnosis/failures.ts',
  'reports/diagnosis/signature.ts',
  'reports/evidence',
  'reports/judge',
  'reports/recording',
  'cli/common',
  'cli/inputs',
  'cli/prove',
  'cli/run',
  'ci/typescript.js',
  'package-lock.json',
];

const faultsFolder = join('drivers', 'sim', 'faults');

/** The sources of the project, by what a change of them can change: hashes, the same as long as the text is. */
export class Sources {
  readonly #files = new Map<string, string>();
  readonly #parts: ReadonlyMap<string, string>;
  readonly #faults = new Map<string, string>();
  /** Of all that is not listed apart below. */
  readonly common: string;

  /** @param project - its folder */
  constructor(project: string = root) {
    for (const path of decidingFiles(project)) {
      this.#files.set(path, readFileSync(join(project, path), 'utf8'));
    }
    this.#parts = partFiles(this.#files);
    const rest = this.#readFaults();
    const apart = new Set([...this.#parts.values(), ...[...this.#files.keys()].filter(isApart)]);
    const others = [...this.#files].filter(([path]) => !apart.has(path));
    this.common = hashOf([process.version, ...others.flat(), ...rest]);
  }

  /** Of files with step definitions, by their paths in the project. */
  definitions(paths: readonly string[]): string {
    return hashOf(paths.map((path) => this.#files.get(path) ?? path));
  }

  /** Of the parts of the simulator that are touched: `Cq.add` is the file of `Cq`. */
  touched(touches: readonly string[]): string {
    const parts = new Set(touches.map((touch) => touch.replace(/\..*/, '')));
    const paths = [...new Set([...parts].flatMap((part) => this.#parts.get(part) ?? []))].sort();
    return hashOf(paths.map((path) => this.#files.get(path) ?? path));
  }

  /** Of the entry of a planted fault. */
  fault(name: string): string {
    return hashOf([this.#faults.get(name) ?? name]);
  }

  /** @returns the texts of the files with faults, without the entries */
  #readFaults(): string[] {
    return [...this.#files].filter(([path]) => isOfFaults(path)).map(([path, text]) => this.#readEntries(path, text));
  }

  #readEntries(path: string, text: string): string {
    let rest = text;
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
    for (const property of entriesIn(source)) {
      const entry = property.getText(source);
      if (property.name) this.#faults.set(textOfName(property.name), entry);
      rest = rest.replace(entry, () => '');
    }
    return rest;
  }
}

/** A hash of texts. */
export function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} ${text}`);
  return hash.digest('base64url').slice(0, 22);
}

/** The files of a project that decide how a scenario runs and is judged, code and data, by their paths in it. */
export function decidingFiles(project: string = root): string[] {
  return deciding.flatMap((path) => {
    if (statSync(join(project, path)).isFile()) return [path];
    const names = readdirSync(join(project, path), { recursive: true, encoding: 'utf8' }).sort();
    return names.filter((name) => /(?<!\.test)\.ts$|\.json$/.test(name)).map((name) => join(path, name));
  });
}

function isApart(path: string): boolean {
  return path.endsWith('.steps.ts') || isOfFaults(path);
}

/** The faults of a page, or what several pages have in common. */
function isOfFaults(path: string): boolean {
  return path.startsWith(faultsFolder) && path.slice(faultsFolder.length + 1).includes('/');
}

function partFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of Object.keys(soundParts)) {
    for (const [path, text] of files) {
      if (path.startsWith(join('drivers', 'sim')) && text.includes(`export class ${part} `)) found.set(part, path);
    }
  }
  return found;
}

/** The entries of `export const faults = { ... }`. */
function entriesIn(source: ts.SourceFile): readonly ts.ObjectLiteralElementLike[] {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .filter(({ name }) => ts.isIdentifier(name) && name.text === 'faults')
    .flatMap(({ initializer }) =>
      initializer && ts.isObjectLiteralExpression(initializer) ? initializer.properties : [],
    );
}

function textOfName(name: ts.PropertyName): string {
  return ts.isStringLiteralLike(name) || ts.isIdentifier(name) ? name.text : name.getText();
}

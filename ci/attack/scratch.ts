import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { baselineOf, renderBaseline } from '../../reports/gate/baseline';
import { parseVerdicts } from '../../reports/judge/verdicts';

/** The user who owns nothing. */
export const nobody = 65534;

/** The folder of a try: its working folder, its home and its folder for temporary files, which are its own. */
export class Scratch {
  readonly #folder: string;
  readonly #recorded: string;
  readonly #mounts: string[] = [];

  /**
   * @param parent - where it is made
   * @param recorded - folder of the results of a run, for {@link run}
   */
  constructor(parent: string, recorded: string) {
    this.#folder = mkdtempSync(join(parent, 'try-'));
    this.#recorded = recorded;
    chmodSync(this.#folder, 0o755);
    for (const folder of [this.here, this.home, this.temporary]) mkdirSync(folder);
  }

  /** The working folder. */
  get here(): string {
    return join(this.#folder, 'here');
  }

  get home(): string {
    return join(this.#folder, 'home');
  }

  /** TMPDIR. */
  get temporary(): string {
    return join(this.#folder, 'tmp');
  }

  path(name: string): string {
    return join(this.here, name);
  }

  write(name: string, content: string | Buffer, mode = 0o644): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content, { mode });
  }

  json(name: string, value: unknown): void {
    this.write(name, JSON.stringify(value));
  }

  /** A program, in a folder that a try can put into PATH. */
  program(name: string, script: string): void {
    this.write(name, `#!/bin/sh\n${script}\n`, 0o755);
  }

  folder(name: string): void {
    mkdirSync(this.path(name), { recursive: true });
  }

  link(name: string, target: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    symlinkSync(target, this.path(name));
  }

  fifo(name: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    execFileSync('mkfifo', [this.path(name)]);
  }

  /** A file that says it is large and takes no space. */
  sparse(name: string, bytes: number): void {
    this.write(name, '');
    truncateSync(this.path(name), bytes);
  }

  /** The results of a real run. */
  run(name: string): void {
    cpSync(this.#recorded, this.path(name), { recursive: true, preserveTimestamps: true });
  }

  /** KiB that the results of {@link run} take in a file system of pages. */
  get runKiB(): number {
    const entries = readdirSync(this.#recorded, { recursive: true, encoding: 'utf8' });
    const pages = entries.map((name) => Math.ceil(statSync(join(this.#recorded, name)).size / 4096));
    return pages.reduce((sum, count) => sum + 4 * count, 0);
  }

  /** The results of a real run, with other verdicts. */
  changedRun(name: string, change: (text: string) => string): void {
    this.run(name);
    this.write(join(name, 'verdicts.json'), change(this.read(join(name, 'verdicts.json'))));
  }

  /** The baseline that a run makes. */
  baseline(name: string, run: string): void {
    this.write(name, renderBaseline(baselineOf(parseVerdicts(this.read(join(run, 'verdicts.json'))))));
  }

  /** A file system of its own. */
  mount(name: string, size: string): void {
    this.folder(name);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'verbspec-attack', this.path(name)]);
    this.#mounts.push(this.path(name));
  }

  mode(name: string, mode: number): void {
    chmodSync(this.path(name), mode);
  }

  /** Permissions of a file. */
  modeOf(name: string): number {
    return statSync(this.path(name)).mode % 0o1000;
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  names(name = '.'): string[] {
    return readdirSync(this.path(name)).sort();
  }

  /** Text of every file below a folder that a search for secrets goes through. */
  texts(name: string): string[] {
    const files = readdirSync(this.path(name), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    return files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  }

  /** Gives everything to another user. */
  giveTo(uid: number): void {
    const below = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' });
    for (const path of [this.#folder, ...below.map((name) => join(this.#folder, name))]) lchownSync(path, uid, uid);
  }

  remove(): void {
    for (const mount of this.#mounts.splice(0)) execFileSync('umount', ['--lazy', mount]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

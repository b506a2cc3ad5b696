import { basename } from 'node:path';
import { nearest, UsageError } from '../../../drivers/contract';
import { oneLine } from '../../../catalog/plain-text';
import { writeTo } from '../../out/write-file';
import { bisectText } from './bisect';
import { cText } from './c-program';
import { featureText } from './feature';
import { markdownText } from './markdown';
import { readFinding, type StoredFinding } from './stored-finding';
import { syzText } from './syz/syz-text';

type Emitter = (finding: StoredFinding, name: string) => string | Promise<string>;

/** What a finding can be written as. */
const emitters = {
  c: cText,
  gherkin: featureText,
  md: markdownText,
  bisect: bisectText,
  syz: syzText,
} as const satisfies Readonly<Record<string, Emitter>>;

export type EmitKind = keyof typeof emitters;

export const emitKinds = Object.keys(emitters) as readonly EmitKind[];

/** Each kind that a session writes beside a finding, with the ending of its file. */
export const besideFindings = { c: '.c', gherkin: '.feature', md: '.md' } as const satisfies Partial<
  Record<EmitKind, string>
>;

/** A kind by its name. @throws UsageError that names those there are */
export function emitKindOf(name: string): EmitKind {
  if (Object.hasOwn(emitters, name)) return name as EmitKind;
  const near = nearest(name, emitKinds);
  const remedy = near === undefined ? `it is one of ${emitKinds.join(', ')}` : `did you mean "${near}"?`;
  throw new UsageError(`--emit knows no "${oneLine(name).slice(0, 40)}"`, remedy);
}

/** A finding as what is asked for. @throws UsageError if it cannot be that */
export async function emitted(kind: EmitKind, finding: StoredFinding, name: string): Promise<string> {
  return emitters[kind](finding, name);
}

/** What `verbspec explore --emit KIND FINDING` does. @returns the exit code */
export async function emit(name: string, path: string | undefined, out: string | undefined): Promise<number> {
  const kind = emitKindOf(name);
  if (path === undefined) throw new UsageError(`--emit ${kind} has no finding`, 'name its file: finding-1.json');
  const text = await emitted(kind, readFinding(path), basename(path).replace(/\.json$/, ''));
  if (out === undefined) process.stdout.write(text);
  else writeTo(out, text);
  return 0;
}

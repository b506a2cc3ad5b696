import { basename } from 'node:path';
import { UsageError } from '../../../drivers/contract';
import { writeTo } from '../../out/write-file';
import { besideFindings, emitted, type EmitKind } from './emit';
import { storedFinding } from './stored-finding';

/** Writes a finding beside its file in the other forms; one that it cannot have is reported, and no error. */
export async function writeBeside(path: string, text: string, say: (line: string) => void): Promise<void> {
  const stem = path.replace(/\.json$/, '');
  const name = basename(stem);
  const finding = storedFinding(text);
  for (const [kind, ending] of Object.entries(besideFindings)) {
    try {
      writeTo(`${stem}${ending}`, await emitted(kind as EmitKind, finding, name));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      say(`${name}${ending} is not written: ${error.message}`);
    }
  }
}

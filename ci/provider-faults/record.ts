import { join } from 'node:path';
import { readJson } from '../../catalog/page-data';
import { renderJson } from '../../cli/common/render-json';
import { writeTo } from '../../cli/out/write-file';
import { assertPackedReliances, packed, unpacked } from '../../cli/prove/accept/packed-reliances';
import type { Reliances } from '../../reports/proof/reliances';

const path = join(__dirname, 'met-rules.json');

/** The other rules that each fault was seen to make fail, of all scenarios that can notice it. */
export function readMetRules(): Reliances {
  const met: unknown = readJson(path);
  assertPackedReliances(met, path);
  return unpacked(met);
}

/** Records what some faults are seen to make fail; what is recorded of others stays. */
export function recordMetRules(seen: Reliances): void {
  const entries = Object.entries({ ...readMetRules(), ...seen }).filter(([, rules]) => rules.length > 0);
  writeTo(path, renderJson(packed(Object.fromEntries(entries.sort(([one], [two]) => (one < two ? -1 : 1))))));
}

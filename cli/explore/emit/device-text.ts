import { oneLine } from '../../../catalog/plain-text';
import type { StoredFinding } from './stored-finding';

/** The device of a finding and its versions, in one line. */
export function deviceText({ device: { hcaId, provider, kernel, rdmaCore } }: Pick<StoredFinding, 'device'>): string {
  const versions = [
    ...(kernel === 'none' ? [] : [`Linux ${kernel}`]),
    ...(rdmaCore === 'none' ? [] : [`rdma-core ${rdmaCore}`]),
  ];
  return oneLine(`${hcaId} (${[provider, ...versions].join(', ')})`);
}

import { oneLine } from '../../../../catalog/plain-text';
import { flatOps, isCall } from '../../../../drivers/programs/program';
import { deviceText } from '../device-text';
import { opLines } from '../notation/print';
import type { StoredFinding } from '../stored-finding';
import { commands } from './commands';
import { Resources } from './resources';

/**
 * A finding as a program of syzkaller, as far as its calls are commands of the kernel which
 * sys/linux/dev_infiniband_rdma.txt describes. What user space does by itself stands as a comment.
 */
export function syzText(finding: StoredFinding): string {
  const { program, suite, seed, difference } = finding;
  const resources = new Resources();
  const lines = [...flatOps(program.ops)].flatMap((op) => {
    const written = isCall(op) ? commands[op.call]?.(op, resources) : undefined;
    return written ?? opLines([op]).map((line) => `# ${line}`);
  });
  return [
    `# Found by verbspec explore ${oneLine(suite)} on ${deviceText(finding)}, seed ${seed}: ${oneLine(`${difference.verb} ${difference.what}`)}.`,
    '# A seed for syzkaller, not a reproduction: CQs have no channel, paths no GID, and what user space does by itself, such as',
    '# to post and to poll, is a comment. Threads stand one after the other. The descriptions know no other command for a',
    '# context than that of mlx5. Lengths are those of rxe.',
    ...lines,
    '',
  ].join('\n');
}

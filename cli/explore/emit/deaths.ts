import { crash } from '../../../drivers/explore/oracle/difference';
import type { StoredFinding } from './stored-finding';

/** What a program can bring about that no page needs to forbid. */
interface Death {
  readonly title: (verb: string) => string;
  readonly rule: string;
  readonly about: string;
}

const ofKernel: Death = {
  title: () => 'the kernel complains of a program, or dies',
  rule: 'No program makes the kernel complain, or die.',
  about: 'The kernel complains of this program, or dies.',
};

const ofProcess: Death = {
  title: (verb) => (verb === 'call' ? 'the process dies of a program' : `the process that calls ${verb} dies`),
  rule: 'No call that a page allows kills the process that makes it.',
  about: 'The process that makes these calls dies.',
};

/** What dies by a finding, if it is that. */
export function deathOf({ verb, what }: Pick<StoredFinding['difference'], 'verb' | 'what'>): Death | undefined {
  if (verb === 'kernel') return ofKernel;
  return what === crash ? ofProcess : undefined;
}

import { dutName } from '../evidence/dut-name';
import type { JudgedRun } from '../judge/judged-run';

/** What Allure shows of the run beside others: `executor.json`. */
export interface Executor {
  readonly name: string;
  readonly type: string;
  /** The build of a CI that the run belongs to. */
  readonly url?: string;
  readonly buildUrl?: string;
  readonly buildName: string;
  /** Counts the runs of a history, from 1. */
  readonly buildOrder: number;
}

/** Who ran the suite on what: the CI that Cucumber has noticed, or nobody but the command. */
export function executorOf({ recording }: JudgedRun, buildOrder: number): Executor {
  const { info, envelopes } = recording;
  const ci = envelopes.flatMap(({ meta }) => meta?.ci ?? [])[0];
  const suite = `verbspec ${info.suite.version} (${info.suite.commit.slice(0, 10)})`;
  return {
    name: ci === undefined ? suite : `${suite}, ${ci.name}`,
    type: ci?.name.toLowerCase().split(' ')[0] ?? 'verbspec',
    ...(ci?.url !== undefined && { url: ci.url, buildUrl: ci.url }),
    buildName: [dutName(info), ci?.buildNumber].filter((part) => part !== undefined).join(', build '),
    buildOrder,
  };
}

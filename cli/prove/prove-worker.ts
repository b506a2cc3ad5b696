import { systematicFaults } from '../../drivers/sim/faults/systematic';
import type { SystematicFault } from '../../drivers/sim/faults/systematic/systematic-fault';
import { variants } from '../../drivers/sim/lawful';
import { runLawful } from './lawful/lawful-job';
import { runSystematic } from './systematic/systematic-job';
import { loadFaults } from './prove-faults';
import { runSound, runUnder } from './prove-job';
import type { Answer, Histories, Job, JobResult } from './prove-pool';

/** Milliseconds between two signs of life, of which one at each scenario would be too many. */
const beatEveryMs = 1000;

/** Runs features under one fault after the other, in a process of its own: a fault may crash it or never return. */
function work(module: string): void {
  const faults = loadFaults(module).faults;
  let histories: Histories = new Map();
  let systematic: ReadonlyMap<string, SystematicFault> | undefined;
  process.on('SIGINT', () => undefined); // who has started it makes an end of it
  process.on('disconnect', () => process.exit());
  process.on('message', (message: Histories | Job) => {
    if (message instanceof Map) histories = message;
    else void run(message as Job);
  });
  tell({ kind: 'ready' });

  async function run(job: Job): Promise<void> {
    try {
      tell(await resultOf(job));
    } catch (error) {
      tell({ kind: 'lost', why: error instanceof Error ? error.message : String(error) });
    }
  }

  async function resultOf(job: Job): Promise<JobResult> {
    if (job.kind === 'sound') return { kind: 'sound', scenarios: await runSound(job.paths, beat) };
    if (job.kind === 'systematic') return systematicResult(job);
    if (job.kind === 'lawful') return lawfulResult(job);
    const fault = faults[job.fault];
    if (fault === undefined) throw new Error(`there is no fault ${job.fault}`);
    return { kind: 'tried', scenarios: await runUnder(fault, job.trials, histories, beat) };
  }

  async function lawfulResult({ variant: name, trials }: Extract<Job, { kind: 'lawful' }>): Promise<JobResult> {
    const variant = variants[name];
    if (variant === undefined) throw new Error(`there is no lawful variant ${name}`);
    return { kind: 'lawful', outcome: await runLawful(variant, trials, histories, beat) };
  }

  async function systematicResult({ fault: name, trials }: Extract<Job, { kind: 'systematic' }>): Promise<JobResult> {
    systematic ??= new Map(systematicFaults().map((fault) => [fault.name, fault]));
    const fault = systematic.get(name);
    if (fault === undefined) throw new Error(`there is no systematic fault ${name}`);
    return { kind: 'systematic', outcome: await runSystematic(fault, trials, histories, beat) };
  }
}

let beatAt = -Infinity;

function beat(): void {
  if (performance.now() - beatAt < beatEveryMs) return;
  beatAt = performance.now();
  tell({ kind: 'alive' });
}

function tell(answer: Answer): void {
  process.send?.(answer);
}

work(process.argv[2] ?? '');

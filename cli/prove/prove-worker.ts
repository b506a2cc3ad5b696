import { runSound, runUnder } from './prove-job';
import { loadFaults } from './prove-faults';
import type { Answer, Job } from './prove-pool';

/** Milliseconds between two signs of life, of which one at each scenario would be too many. */
const beatEveryMs = 1000;

/** Runs features under one fault after the other, in a process of its own: a fault may crash it or never return. */
function work(module: string): void {
  const faults = loadFaults(module).faults;
  process.on('SIGINT', () => undefined); // who has started it makes an end of it
  process.on('disconnect', () => process.exit());
  process.on('message', (job: Job) => void run(job));
  tell({ kind: 'ready' });

  async function run({ fault: name, paths }: Job): Promise<void> {
    const fault = name === undefined ? undefined : faults[name];
    try {
      if (fault === undefined) tell({ kind: 'sound', scenarios: await runSound(paths, beat) });
      else tell({ kind: 'failed', scenarios: await runUnder(fault, paths, beat) });
    } catch (error) {
      tell({ kind: 'lost', why: error instanceof Error ? error.message : String(error) });
    }
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

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, withoutJava } from '../../cli/fixtures/command';
import { root } from '../../cli/common/project';
import { HarnessError } from '../../drivers/contract';
import { namesIn } from '../../drivers/support/files';
import { TriedCommand, type Ending } from './command';
import { complaintsOf } from './judge';
import { unmetNeeds } from './needs';
import { nobody, Scratch } from './scratch';
import { changesBetween, snapshotOf } from './snapshot';
import type { ListedTry } from './try';

/** What came of a try. */
export interface TryResult {
  readonly area: string;
  readonly name: string;
  readonly args: readonly string[];
  /** What is wrong; nothing if the try did no harm. */
  readonly complaints: readonly string[];
  /** Why it was not made. */
  readonly skipped?: string;
  readonly code?: number;
  readonly durationMs?: number;
  /** What it said, where something is wrong. */
  readonly said?: string;
}

/** Characters that a report keeps of what a bad try has said. */
const saidMax = 2000;

/** Makes tries, several at a time, each in folders of its own. */
export class Attack {
  readonly #folder = mkdtempSync(join(tmpdir(), 'verbspec-attack-'));
  readonly #recorded = join(this.#folder, 'recorded');
  readonly #cache = join(this.#folder, 'cache');
  readonly #unmet = unmetNeeds();
  readonly #underWay = new Set<TriedCommand>();
  readonly #patienceMs: number;
  #isStopped = false;

  /** @param patienceMs - milliseconds that a try may take which says nothing of its time */
  constructor(patienceMs = 60_000) {
    this.#patienceMs = patienceMs;
  }

  /** @param onResult - hears what came of each try, as soon as it is known */
  async run(tries: readonly ListedTry[], jobs: number, onResult: (result: TryResult) => void): Promise<TryResult[]> {
    chmodSync(this.#folder, 0o711); // tries of another user go through it
    mkdirSync(this.#cache, { mode: 0o700 });
    const before = new Set(namesInProject());
    await this.#record();
    const results = new Map<ListedTry, TryResult>();
    const waiting = [...tries];
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined && !this.#isStopped; one = waiting.shift()) {
        const result = await this.#make(one);
        if (result === undefined) return;
        results.set(one, result);
        onResult(result);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    const made = tries.flatMap((one) => results.get(one) ?? []);
    const strays = namesInProject().filter((name) => !before.has(name));
    if (strays.length === 0) return made;
    const complaints = strays.map((name) => `${name} is new in the project's folder`);
    return [...made, { area: 'all', name: 'the project stays as it is', args: [], complaints }];
  }

  /** Kills what is under way, after which {@link run} comes to its end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#underWay].map((command) => command.kill()));
  }

  /** Removes all folders. */
  end(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A run whose results lie ready for tries that read or replace them. */
  async #record(): Promise<void> {
    const args = ['run', 'ibv_req_notify_cq.one-shot', '--out', this.#recorded];
    const { code, stderr } = await Command.finished(args, withoutJava);
    if (code !== 0) throw new HarnessError(`the run that tries are made on ended with ${code}: ${stderr}`);
  }

  /** @returns `undefined` for a try that was stopped */
  async #make(one: ListedTry): Promise<TryResult | undefined> {
    const { area, name, args } = one;
    const unmet =
      one.needs?.find((need) => this.#unmet.has(need)) ?? (one.as && this.#unmet.has('root') ? 'root' : undefined);
    const skipped = unmet && this.#unmet.get(unmet);
    if (skipped !== undefined) return { area, name, args, complaints: [], skipped };
    const scratch = new Scratch(this.#folder, this.#recorded);
    try {
      one.prepare?.(scratch);
      if (one.as === 'nobody') scratch.giveTo(nobody);
      const before = snapshotOf(scratch);
      const outcome = await this.#execute(one, scratch);
      if (this.#isStopped) return undefined;
      const changes = changesBetween(before, snapshotOf(scratch), changesAllowed(one, outcome.code));
      const complaints = [...complaintsOf(one, outcome), ...changes, ...ownComplaints(one, scratch, outcome)];
      const { code, durationMs, stdout, stderr } = outcome;
      const said = `${stdout}${stderr}`.slice(0, saidMax);
      return {
        area,
        name,
        args,
        complaints,
        ...(code !== undefined && { code }),
        durationMs,
        ...(complaints.length > 0 && { said }),
      };
    } finally {
      scratch.remove();
    }
  }

  async #execute(one: ListedTry, scratch: Scratch): Promise<Ending> {
    const command = new TriedCommand(one, scratch, this.#cache);
    this.#underWay.add(command);
    try {
      return await command.finish(this.#patienceMs);
    } finally {
      this.#underWay.delete(command);
    }
  }
}

/** What is refused leaves nothing; all else has results. */
function changesAllowed({ changes }: ListedTry, code: number | undefined): readonly string[] {
  return changes ?? (code === 2 ? [] : ['out']);
}

function ownComplaints({ afterwards }: ListedTry, scratch: Scratch, outcome: Ending): string[] {
  if (afterwards === undefined || outcome.code === undefined) return [];
  try {
    afterwards({ scratch, code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr });
    return [];
  } catch (error) {
    return [(error as Error).message.split('\n', 1)[0] ?? 'it is not as it should be'];
  }
}

/** A try that does not keep to its working folder leaves something here, or in the root of the file system. */
function namesInProject(): string[] {
  const below = ['.', 'reports/out'].flatMap((folder) => namesIn(join(root, folder)).map((name) => join(folder, name)));
  return [...below, ...namesIn('/').map((name) => `/${name}`)];
}

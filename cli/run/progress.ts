import { TestStepResultStatus, type Envelope, type TestStepFinished } from '@cucumber/messages';
import { oneLine } from '../../catalog/plain-text';

/** Seconds between two lines of progress where there is no terminal to rewrite a line on. */
const lineEverySeconds = 10;

/** Milliseconds after which the time that is left can be told from what has passed. */
const estimateAfterMs = 3000;

/** Scenarios that are listed with one and the same reason. */
const sameReasonMax = 3;

/** Tells how far a run has come: a line that is rewritten on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #names = new Map<string, string>();
  readonly #running = new Map<string, string>();
  #total = 0;
  #finished = 0;
  #dutLost = false;
  /** Scenarios that are listed already as not passed. */
  readonly #told = new Set<string>();
  /** How many scenarios failed with the same words. */
  readonly #reasons = new Map<string, number>();
  #toldAt: number;
  #beganAt: number | undefined;

  /**
   * @param show - what a line looks like to others, where something is to be hidden
   * @param now - milliseconds
   */
  constructor(
    readonly stream: NodeJS.WriteStream,
    readonly show: (line: string) => string = (line) => line,
    readonly now: () => number = () => performance.now(),
  ) {
    this.#toldAt = now();
  }

  follow({ pickle, testCase, testCaseStarted, testCaseFinished, testStepFinished }: Envelope): void {
    if (pickle) this.#names.set(pickle.id, oneLine(pickle.name));
    if (testCase) {
      this.#total += 1;
      this.#names.set(testCase.id, this.#names.get(testCase.pickleId) ?? '');
    }
    if (testCaseStarted) this.#beganAt ??= this.now();
    if (testCaseStarted) this.#running.set(testCaseStarted.id, this.#names.get(testCaseStarted.testCaseId) ?? '');
    if (testStepFinished?.testStepResult.status === TestStepResultStatus.FAILED) this.#tellFailure(testStepFinished);
    if (testCaseFinished) {
      this.#finished += 1;
      this.#running.delete(testCaseFinished.testCaseStartedId);
    }
    if (testCaseStarted ?? testCaseFinished) this.#count();
  }

  /** What is listed is no news. Once the device is lost, nothing passes, and that is reported once. */
  #tellFailure({ testCaseStartedId, testStepResult: { exception } }: TestStepFinished): void {
    if (exception?.type === 'KnownDeviation') return;
    if (exception?.type !== 'DutLost') {
      this.#tellScenario(testCaseStartedId, exception?.message ?? '');
    } else if (!this.#dutLost) {
      this.#dutLost = true;
      this.tell(`  the device under test was lost: ${exception.message?.split('\n', 1)[0] ?? ''}`);
    }
  }

  /** One reason may keep all scenarios from passing: only the first of them are listed. */
  #tellScenario(testCaseStartedId: string, reason: string): void {
    if (this.#told.has(testCaseStartedId)) return;
    this.#told.add(testCaseStartedId);
    const count = (this.#reasons.get(reason) ?? 0) + 1;
    this.#reasons.set(reason, count);
    if (reason === '' || count <= sameReasonMax) {
      this.tell(`  did not pass: ${this.#running.get(testCaseStartedId) ?? ''}`);
    } else if (count === sameReasonMax + 1) {
      this.tell(`  and others did not pass for the same reason: ${reason.split('\n', 1)[0] ?? ''}`);
    }
  }

  /** A line that stays, with the blanks that it begins with. */
  tell(line: string): void {
    const [indent] = /^ */.exec(line) ?? [''];
    this.#clear();
    this.stream.write(`${indent}${oneLine(this.show(line))}\n`);
    this.#toldAt = this.now();
  }

  /** Leaves the terminal as if there had been no progress. */
  end(): void {
    this.#clear();
  }

  #count(): void {
    const text = `  ${this.#finished} of ${this.#total} scenarios${this.#timeLeft()}`;
    if (this.stream.isTTY) {
      this.#clear();
      this.stream.write([text, ...this.#running.values()].join('  ').slice(0, this.stream.columns - 1));
    } else if (this.now() - this.#toldAt >= lineEverySeconds * 1000) {
      this.tell(text);
    }
  }

  /** As the scenarios so far have taken; nothing before it is worth telling. */
  #timeLeft(): string {
    const tookMs = this.now() - (this.#beganAt ?? this.now());
    if (tookMs < estimateAfterMs || this.#finished === 0) return '';
    const seconds = Math.ceil(((tookMs / this.#finished) * (this.#total - this.#finished)) / 1000);
    if (seconds === 0) return '';
    return seconds < 100 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
  }

  #clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K');
  }
}

interface Task {
  readonly atUs: number;
  readonly run: () => void;
}

/** Virtual time in microseconds. Nothing in the simulator happens by itself: time passes when a caller lets it. */
export class Clock {
  #nowUs = 0;
  /** In order of time; tasks of the same time in order of scheduling. */
  #tasks: Task[] = [];

  get nowUs(): number {
    return this.#nowUs;
  }

  /** What is yet to happen. */
  get pending(): number {
    return this.#tasks.length;
  }

  /** @returns what takes the task back, if it has not run by then */
  schedule(delayUs: number, run: () => void): () => void {
    const task = { atUs: this.#nowUs + delayUs, run };
    this.#tasks.push(task);
    this.#tasks.sort((one, other) => one.atUs - other.atUs);
    return () => {
      this.#tasks = this.#tasks.filter((one) => one !== task);
    };
  }

  /** Lets `durationUs` pass, or less if `done` turns true on the way. */
  advance(durationUs: number, done = (): boolean => false): void {
    const endUs = this.#nowUs + durationUs;
    while (!done() && this.#runNext(endUs));
    if (!done()) this.#nowUs = endUs;
  }

  /**
   * Lets time pass until nothing is left to happen, or `done` turns true.
   *
   * @returns whether `done` turned true
   */
  runAll(done = (): boolean => false): boolean {
    while (!done()) if (!this.#runNext(Infinity)) return false;
    return true;
  }

  #runNext(latestUs: number): boolean {
    const next = this.#tasks[0];
    if (next === undefined || next.atUs > latestUs) return false;
    this.#tasks.shift();
    this.#nowUs = next.atUs;
    next.run();
    return true;
  }
}

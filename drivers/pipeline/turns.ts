/** What every JavaScript engine has for its event loop, whatever it runs in; setImmediate() is of Node.js alone. */
interface EventLoop {
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  setImmediate?(run: () => void): unknown;
}

const loop = globalThis as unknown as EventLoop;

/**
 * Runs something later in real time.
 *
 * @returns what calls it off
 */
export function later(ms: number, run: () => void): () => void {
  const timer = loop.setTimeout(run, ms);
  return () => {
    loop.clearTimeout(timer);
  };
}

/** Resolves when whatever can go on by now has gone on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (loop.setImmediate === undefined) loop.setTimeout(resolve, 0);
    else loop.setImmediate(resolve);
  });
}

const waiting = new Set<() => void>();
let isWatching = false;

/**
 * What a promise of somebody else's comes to. Node.js ends without a word where nothing is left that could settle a
 * promise; this one is rejected then.
 *
 * @param stalled - the error that it is rejected with
 */
export function unlessStalled<T>(promise: PromiseLike<T>, stalled: () => Error): Promise<T> {
  watch();
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => {
      reject(stalled());
    };
    waiting.add(giveUp);
    const settle = (): boolean => waiting.delete(giveUp);
    promise.then(resolve, reject).then(settle, settle);
  });
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('beforeExit', () => {
    const stalled = [...waiting];
    waiting.clear();
    if (stalled.length === 0) return;
    setImmediate(() => {
      for (const giveUp of stalled) giveUp();
    });
  });
}

/** Milliseconds for the codes of min_rnr_timer, as ibv_modify_qp(3) lists them. */
const rnrMs = [
  655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28, 1.92, 2.56, 3.84, 5.12,
  7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52,
] as const;

/** Codes of min_rnr_timer and of timeout are below this number. */
export const timerCodes = rnrMs.length;

/** Virtual microseconds that a sender waits after the answer that there is no receive. */
export function rnrWaitUs(minRnrTimer: number): number {
  return (rnrMs[minRnrTimer] ?? 0) * 1000;
}

/** Virtual microseconds without an answer after which a send is tried again; the code 0 waits for ever. */
export function ackTimeoutUs(timeout: number): number {
  return timeout === 0 ? Infinity : 4.096 * 2 ** timeout;
}

/** What a seed chooses of a deterministic VM: how long an instruction takes, and when the kernel lets others run. */
export interface Schedule {
  /** An instruction takes 2 to the power of this nanoseconds of the VM's clock. */
  readonly shift: number;
  /** Options of the kernel command line. */
  readonly kernelOptions: readonly string[];
  /** Processes that take the processor now and then. */
  readonly noises: readonly Noise[];
}

export interface Noise {
  readonly seed: number;
  readonly niceness: number;
}

const shifts = [2, 3, 4, 5, 6];
const preemptions = ['none', 'voluntary', 'full'];
const ticks = ['nohz=off', 'nohz=on'];
const timers = ['highres=on', 'highres=off'];
const nicenesses = [-15, -5, 0, 10];
const noisesMax = 3;

/** The schedule of a seed: the same today and tomorrow. Seed 0 is the plainest one. */
export function scheduleOf(seed: number): Schedule {
  if (seed === 0) return { shift: 3, kernelOptions: [], noises: [] };
  const draw = drawing(seed);
  const shift = chosen(shifts, draw);
  const kernelOptions = [`preempt=${chosen(preemptions, draw)}`, chosen(ticks, draw), chosen(timers, draw)];
  const count = Math.floor(draw() * (noisesMax + 1));
  const noises = Array.from({ length: count }, () => ({
    seed: Math.floor(draw() * 2 ** 31),
    niceness: chosen(nicenesses, draw),
  }));
  return { shift, kernelOptions, noises };
}

function chosen<T>(values: readonly [T, ...T[]] | readonly T[], draw: () => number): T {
  return values[Math.floor(draw() * values.length)] as T;
}

/** Numbers from 0 to less than 1 by the generator mulberry32, whose whole state is 32 bits. */
function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

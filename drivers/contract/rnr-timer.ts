/** Hundredths of a millisecond by code, as ibv_modify_qp(3) lists them. */
const hundredths = [
  65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144,
  8192, 12288, 16384, 24576, 32768, 49152,
];

/** Microseconds that a code of min_rnr_timer stands for. */
export function rnrTimerUs(code: number): number {
  return (hundredths[code] ?? Math.max(...hundredths)) * 10;
}

/** How numbers are written: `1,234`. */
export const inWords = new Intl.NumberFormat('en-US');

/** `95.2 %`; all of them alone are 100 %. */
export function share(part: number, whole: number): string {
  if (whole === 0) return 'none';
  return `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`;
}

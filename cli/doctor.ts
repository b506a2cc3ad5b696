export function doctor(_drivers: readonly string[], _json: boolean): number {
  return 0;
}

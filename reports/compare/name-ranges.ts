interface NumberedName {
  readonly head: string;
  readonly number: number;
}

/** Names in a line; three and more that are numbered one after the other are a range: `dut-1 … dut-9, dut-12`. */
export function nameRanges(names: readonly string[]): string {
  const ranges: string[][] = [];
  for (const name of names) {
    const last = ranges.at(-1);
    if (last !== undefined && follows(last.at(-1) ?? '', name)) last.push(name);
    else ranges.push([name]);
  }
  return ranges
    .flatMap((range) => (range.length < 3 ? range : [`${range[0] ?? ''} … ${range.at(-1) ?? ''}`]))
    .join(', ');
}

function follows(before: string, name: string): boolean {
  const [one, other] = [numbered(before), numbered(name)];
  return one !== undefined && other?.head === one.head && other.number === one.number + 1;
}

function numbered(name: string): NumberedName | undefined {
  const found = /^(?<head>.*?)(?<number>0|[1-9]\d{0,8})$/.exec(name);
  return found?.groups && { head: found.groups.head ?? '', number: Number(found.groups.number) };
}

/** Columns of a line, as Prettier has them. */
const columns = 120;

/** JSON as Prettier formats it: a list of texts stands in one line where it fits. */
export function renderJson(data: unknown): string {
  const text = JSON.stringify(data, undefined, 2).replace(
    /^( *)("[^"\n]+": )?\[\n((?: *"[^\n]*",?\n)+) *\](,?)$/gm,
    (expanded: string, indent: string, name: string | undefined, items: string, comma: string) => {
      const line = `${indent}${name ?? ''}[${items.trim().replace(/\n */g, ' ')}]${comma}`;
      return line.length <= columns ? line : expanded;
    },
  );
  return `${text}\n`;
}

/** What a kernel writes to its serial console. */
export class KernelLog {
  private text = '';
  private told = 0;

  /** Adds bytes as they come; a line counts once it is whole. */
  add(chunk: string): void {
    this.text += chunk;
  }

  /** Whole lines that came since the last call, free of control characters. */
  takeNew(): string {
    const end = this.text.lastIndexOf('\n') + 1;
    const fresh = this.text.slice(this.told, end);
    this.told = Math.max(end, this.told);
    return printable(fresh);
  }

  /** The last lines, for an error message. */
  tail(lines: number): string {
    return printable(this.text).trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** The line by which the kernel, or a script of the guest, said why it gave up. */
  find(pattern: RegExp): string | undefined {
    return printable(this.text).split('\n').find((line) => pattern.test(line));
  }
}

/** Removes escape sequences and control characters other than line ends and tabs. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are the subject
  return text.replace(/\x1b(?:\[[0-9;?]*[A-Za-z]|[^[])/g, '').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '');
}

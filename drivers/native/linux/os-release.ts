import type { Sysfs } from './sysfs';

/** Both are standard; the first is the administrator's. */
const files = ['etc/os-release', 'usr/lib/os-release'];

/** What the distribution calls itself, or an empty string. */
export function distributionOf(sysfs: Sysfs): string {
  const text = files.map((file) => sysfs.read(file)).find((content) => content !== '') ?? '';
  const value = /^PRETTY_NAME=(.*)$/m.exec(text)?.[1]?.trim() ?? '';
  return value.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(["'`$\\])/g, '$1');
}

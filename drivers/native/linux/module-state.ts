import { release } from 'node:os';
import { Sysfs } from './sysfs';

/** Where a module of the kernel is: `absent` ones this kernel has not been built with, or they are not installed. */
export type ModuleState = 'loaded' | 'built in' | 'loadable' | 'absent';

export function moduleState(name: string, sysfs = new Sysfs(), kernel = release()): ModuleState {
  const file = new RegExp(`(^|/)${name}\\.ko`, 'm');
  const has = (list: string): boolean => file.test(sysfs.read('lib/modules', kernel, list));
  if (has('modules.builtin')) return 'built in';
  if (sysfs.names('sys/module', name).length > 0) return 'loaded';
  return has('modules.dep') ? 'loadable' : 'absent';
}

import { dataText, isList, isStruct, type Data } from '../../contract/data';
import { wc } from '../cq';
import type { Type } from '../idl';
import { cName, cText, membersOf, type DataMembers, type Scope } from './c-text';

/** What checks compare names its objects itself. */
const scope: Scope = { nameOf: (name) => name, qpTypeOf: () => undefined };

const completionMembers = membersOf(wc).map(([name, type]) => [cName(name), type] as const);

/**
 * What a check compared, for people: the members of completions in C and in the order of the header, all else as in
 * {@link dataText}.
 */
export function comparedText(data: Data | undefined): string {
  if (isList(data)) return `[${data.map(comparedText).join(', ')}]`;
  return isStruct(data) && completionMembers.some(([name]) => name in data) ? completionText(data) : dataText(data);
}

/** Nothing that was compared is left out; what is no member, such as a flag, comes last. */
function completionText(values: DataMembers): string {
  const members = completionMembers.flatMap(([name, type]): [string, Type][] => (name in values ? [[name, type]] : []));
  const names = new Set(members.map(([name]) => name));
  const others = Object.entries(values).filter(([name]) => !names.has(name));
  const texts = [
    ...members.map(([name, type]) => `.${name} = ${cText(type, values[name], scope)}`),
    ...others.map(([name, value]) => `${name} = ${dataText(value)}`),
  ];
  return `{ ${texts.join(', ')} }`;
}

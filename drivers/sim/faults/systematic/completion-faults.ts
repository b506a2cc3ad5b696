import type { Wc } from '../../../contract';
import type { Parts } from '../../device/device';
import { wc as wcType } from '../../../verbs/cq';
import type { Type } from '../../../verbs/idl';
import {
  completionsWith,
  count,
  failureKinds,
  successKinds,
  type Completed,
  type CompletionKind,
} from './completion-kinds';
import { dealt } from './dealt';
import { isTruncation, numberOperators, wordOperators, type Operator } from './operators';
import { registeredParts, Registry } from './registry';
import { Slot } from './slot';
import type { SystematicFault, Tell } from './systematic-fault';

/** Ways in which a member goes wrong in completions of one kind; other kinds have the others. */
const waysOfAMember = 3;

/** A member of a completion is wrong in completions of one kind. */
export function completionFaults(): readonly SystematicFault[] {
  return [...successKinds, ...failureKinds].flatMap((kind) => kind.members.flatMap((member) => faultsOf(kind, member)));
}

function faultsOf(kind: CompletionKind, member: keyof Wc): SystematicFault[] {
  return dealt(operatorsOfType(wcType.members[member]), `${kind.name} / wc.${member}`)
    .slice(0, waysOfAMember)
    .map((operator) => ({
      name: `${kind.name} / wc.${member} / ${operator.name}`,
      piece: `wc.${member}`,
      operator: operator.name,
      trigger: kind.name,
      mayBeIdle: isNothingToLose(kind, operator) || isTruncation(operator),
      parts: (tell) => partsWith(kind, member, operator, tell),
    }));
}

/** A completion that has no flags cannot lose them. */
function isNothingToLose({ name }: CompletionKind, operator: Operator): boolean {
  return operator === noFlags && !/IMM|INV|UD/.test(name);
}

const noFlags: Operator = { name: 'lost', apply: (slot) => (slot.value = []) };

/** The operator is {@link stale}'s own: it needs the completion before. */
const stale: Operator = { name: 'stale', apply: () => undefined };

function operatorsOfType(type: Type): readonly Operator[] {
  switch (type.is) {
    case 'word':
      return [...wordOperators, stale];
    case 'number':
      return type.name === 'u32'
        ? [...numberOperators, truncated(16), swappedWord, stale]
        : numberOperators.filter(({ name }) => !name.startsWith('truncated'));
    case 'enum':
      return [{ name: 'another', apply: (slot) => (slot.value = anotherOf(type.names, slot.value)) }];
    case 'flags':
      return [
        noFlags,
        ...type.names.map((flag) => ({
          name: `${flag} changed`,
          apply: (slot: Slot) => (slot.value = without(slot.value, flag)),
        })),
      ];
    case 'boolean':
    case 'bytes':
    case 'constant':
    case 'either':
    case 'list':
    case 'nullable':
    case 'object':
    case 'struct':
    case 'text':
      return [];
  }
}

const truncated = (bits: 16): Operator => ({
  name: `truncated to ${bits} bits`,
  apply: (slot) => {
    if (typeof slot.value === 'number') slot.value &= 0xffff;
  },
});

const swappedWord: Operator = {
  name: 'byte-swapped',
  apply: (slot) => {
    if (typeof slot.value !== 'number') return;
    const bytes = new DataView(new ArrayBuffer(4));
    bytes.setUint32(0, slot.value, true);
    slot.value = bytes.getUint32(0);
  },
};

function anotherOf(names: readonly string[], value: unknown): string | undefined {
  const at = names.indexOf(String(value));
  return names[(at + 1) % names.length];
}

/** The flags with one more, or with one less. */
function without(value: unknown, flag: string): readonly string[] {
  const flags = Array.isArray(value) ? (value as string[]) : [];
  return flags.includes(flag) ? flags.filter((one) => one !== flag) : [...flags, flag];
}

function partsWith(kind: CompletionKind, member: keyof Wc, operator: Operator, tell: Tell): Parts {
  const parts = registeredParts(new Registry());
  let last: Wc | undefined;
  const change = (wc: Wc, completed: Completed): Wc => {
    const before = last;
    last = wc;
    if (!kind.has(completed)) return wc;
    const changed: Record<string, unknown> = { ...wc };
    if (operator === stale) Object.assign(changed, before && { [member]: before[member] });
    else operator.apply(new Slot(changed, member), []);
    if (String(changed[member]) !== String(wc[member])) tell();
    return changed as unknown as Wc;
  };
  class CountingCq extends parts.Cq {
    override add(...args: Parameters<InstanceType<typeof parts.Cq>['add']>): void {
      count(this);
      super.add(...args);
    }
  }
  return { ...parts, Completions: completionsWith(parts.Completions, change), Cq: CountingCq };
}

import type { VerbName } from '../../../verbs';
import type { Type } from '../../../verbs/idl';
import type { Description } from '../../../verbs/verb';
import type { Returned, Success } from '../../return-values';
import { soundParts, type Parts } from '../../device/device';
import { isTruncation, numberOperators, wordOperators, type Operator } from './operators';
import { Slot } from './slot';
import type { SystematicFault, Tell } from './systematic-fault';
import { calledVerbs } from './triggers';

/** What a verb returns, or fills in, is wrong: each time, or from the second call on. */
export function answerFaults(): readonly SystematicFault[] {
  return calledVerbs().flatMap((description) => {
    const { out = {}, fails, makes, returns } = description;
    return [
      ...Object.entries(out).flatMap(([member, type]) =>
        operatorsOfType(type).map((operator, turn) => faultOf(description, `out.${member}`, operator, turn % 2)),
      ),
      ...(fails === 'never' || makes !== undefined || returns === 'text'
        ? []
        : returnOperators.map((operator, turn) => faultOf(description, 'returned', operator, turn % 2))),
    ];
  });
}

/** What a C function returns that returns no pointer. */
const returnOperators: readonly Operator[] = [
  { name: 'off by one', apply: (slot) => (slot.value = typeof slot.value === 'number' ? slot.value + 1 : slot.value) },
  { name: '-1', apply: (slot) => (slot.value = typeof slot.value === 'number' ? -1 : slot.value) },
];

function operatorsOfType(type: Type): readonly Operator[] {
  switch (type.is) {
    case 'word':
      return wordOperators;
    case 'number':
      return numberOperators;
    case 'nullable':
      return [{ name: 'lost', apply: (slot) => (slot.value = null) }];
    case 'flags':
      return [nothing];
    case 'list':
      return [
        nothing,
        {
          name: 'reversed',
          apply: (slot) => (slot.value = Array.isArray(slot.value) ? [...(slot.value as [])].reverse() : slot.value),
        },
      ];
    case 'enum':
      return type.names
        .slice(0, 2)
        .map((name) => ({ name: `becomes ${name}`, apply: (slot: Slot) => (slot.value = name) }));
    case 'boolean':
      return [{ name: 'flipped', apply: (slot) => (slot.value = slot.value !== true) }];
    case 'object':
    case 'either':
    case 'text':
    case 'bytes':
    case 'struct':
    case 'constant':
      return [];
  }
}

const nothing: Operator = { name: 'lost', apply: (slot) => (slot.value = []) };

/** @param spared - how many calls are right before the first wrong one */
function faultOf({ c, page }: Description, piece: string, operator: Operator, spared: number): SystematicFault {
  const verb = c as VerbName;
  return {
    name: `${verb} / ${piece} / ${operator.name}${spared === 0 ? '' : ', from the second call on'}`,
    piece,
    operator: operator.name,
    trigger: verb,
    verb,
    page,
    mayBeIdle: isTruncation(operator),
    parts: (tell) => partsWith(verb, piece, operator, spared, tell),
  };
}

function partsWith(verb: VerbName, piece: string, operator: Operator, spared: number, tell: Tell): Parts {
  const [place, member] = piece.split('.');
  class Changed extends soundParts.ReturnValues {
    #calls = 0;

    override ofSuccess(called: VerbName, success: Success): Returned {
      const answer = super.ofSuccess(called, success);
      if (called !== verb || ++this.#calls <= spared) return answer;
      const changed = { ...answer, outputs: { ...answer.outputs } };
      const holder = place === 'out' ? changed.outputs : changed;
      const slot = new Slot(holder, member ?? 'returned');
      const before = slot.value;
      operator.apply(slot, []);
      if (slot.value !== before) tell();
      return changed;
    }
  }
  return { ...soundParts, ReturnValues: Changed };
}

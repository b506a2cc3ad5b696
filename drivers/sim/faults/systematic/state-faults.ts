import { dealt } from './dealt';
import { isMove, operatorsOf, type Operator } from './operators';
import { nameOf, piecesOfModel, type Piece } from './pieces';
import { registeredParts, Registry } from './registry';
import { sampleModel } from './sample-model';
import { slotIn, type Slot } from './slot';
import type { SystematicFault, Tell } from './systematic-fault';
import { triggersOfModel, type Moment, type Trigger } from './triggers';

/** Which objects of a class it happens to. */
type Scope = 'all' | 'those named' | 'all others';

/** What is undone with a piece of state, for a time or for good. */
const undone = ['kept', 'late'] as const;
type Undone = (typeof undone)[number];
const isUndone = (operator: string): boolean => (undone as readonly string[]).includes(operator);

/** A moment spoils a piece of state: one that it may touch in several ways, one that it must not touch in one way. */
export function stateFaults(): readonly SystematicFault[] {
  const pieces = piecesOfModel().map((piece) => ({ piece, operators: actingOn(piece) }));
  return triggersOfModel().flatMap((trigger) =>
    pieces.flatMap(({ piece, operators }) => {
      const its = dealt(operators, `${trigger.name} / ${nameOf(piece)}`);
      return trigger.parts.has(piece.part) ? faultsAt(trigger, piece, its) : faultBeside(trigger, piece, its);
    }),
  );
}

/** The operators that change something in the sample model: others could change nothing that a program sees. */
function actingOn(piece: Piece): readonly Operator[] {
  return operatorsOf(piece.kind, piece.isOptional, piece.samples).filter((operator) => {
    const slots = slotsOf(sampleModel(), piece);
    const before = slots.map(({ slot }) => slot.snapshot);
    applyTo(slots, operator, slots);
    return slots.some(({ slot }, index) => !isSame(slot.value, before[index]));
  });
}

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Set && other instanceof Set) return isSame([...one], [...other]);
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** A moment that only reads, or only refuses, may touch no more than those it has nothing to do with. */
function faultsAt(trigger: Trigger, piece: Piece, operators: readonly Operator[]): SystematicFault[] {
  if (trigger.ends.has(piece.part)) return operators.slice(-1).map((one) => spoilt(trigger, piece, one, 'all others'));
  if (!trigger.mayChange) return operators.slice(0, 1).map((one) => spoilt(trigger, piece, one, 'those named'));
  return [
    ...operators.slice(0, 2).map((one) => spoilt(trigger, piece, one, 'those named')),
    ...operators.slice(-1).map((one) => spoilt(trigger, piece, one, 'all others')),
    ...undone.map((how) => undoing(trigger, piece, how)),
  ];
}

/** Something goes wrong with all objects, so that any scenario may notice it. */
function faultBeside(trigger: Trigger, piece: Piece, operators: readonly Operator[]): SystematicFault[] {
  if (!trigger.mayChange) return [];
  return operators.slice(0, 1).map((one) => spoilt(trigger, piece, one, 'all'));
}

function spoilt(trigger: Trigger, piece: Piece, operator: Operator, scope: Scope): SystematicFault {
  return fault(trigger, piece, operator.name, scope, (registry) => {
    const done = new WeakSet();
    return {
      before: () => undefined,
      after: (named) => {
        if (undoesItself(operator) && done.has(registry.scenario)) return;
        const slots = slotsOf(registry, piece);
        const before = slots.map(({ slot }) => slot.snapshot);
        applyTo(chosen(slots, scope, named), operator, slots);
        if (slots.some(({ slot }, index) => !isSame(slot.snapshot, before[index]))) done.add(registry.scenario);
      },
    };
  });
}

/** Done twice it would be as if nothing had happened. */
function undoesItself(operator: Operator): boolean {
  return isMove(operator) || ['reversed', 'flipped', 'byte-swapped'].includes(operator.name);
}

/** What goes from each to the next does so at once. */
function applyTo(chosen: readonly OwnedSlot[], operator: Operator, all: readonly OwnedSlot[]): void {
  if (isMove(operator) && chosen.length > 1) {
    const before = chosen.map(({ slot }) => slot.snapshot);
    for (const [index, { slot }] of chosen.entries()) slot.restore(before.at(index - 1));
  } else for (const one of chosen) operator.apply(one.slot, siblingsOf(one, all));
}

function undoing(trigger: Trigger, piece: Piece, how: Undone): SystematicFault {
  return fault(trigger, piece, how, 'those named', (registry) => {
    let before = new Map<object, unknown>();
    const due: (() => void)[] = [];
    return {
      before: (named) => {
        for (const catchUp of due.splice(0)) catchUp();
        const slots = chosen(slotsOf(registry, piece), 'those named', named);
        before = new Map(slots.map(({ object, slot }) => [object, slot.snapshot]));
      },
      after: (named) => {
        for (const { object, slot } of chosen(slotsOf(registry, piece), 'those named', named)) {
          if (!before.has(object)) continue;
          const now = slot.snapshot;
          slot.restore(before.get(object));
          if (how === 'late') {
            due.push(() => {
              slot.restore(now);
            });
          }
        }
      },
    };
  });
}

/** Tells when the piece is another than it was before the fault had its say. */
function watched(moment: Moment, registry: Registry, piece: Piece, tell: Tell): Moment {
  return {
    before: (named) => {
      moment.before(named);
    },
    after: (named) => {
      const slots = slotsOf(registry, piece);
      const before = slots.map(({ slot }) => slot.snapshot);
      moment.after(named);
      if (slots.some(({ slot }, index) => !isSame(slot.snapshot, before[index]))) tell();
    },
  };
}

function fault(
  trigger: Trigger,
  piece: Piece,
  operator: string,
  scope: Scope,
  momentOf: (registry: Registry) => Moment,
): SystematicFault {
  const isAtNamed = scope === 'those named';
  const mayBeIdle =
    isUndone(operator) ||
    trigger.isRefusal ||
    (isAtNamed && (trigger.makes.has(piece.part) || trigger.spends.has(nameOf(piece))));
  const where = scope === 'all' ? '' : `, ${scope}`;
  return {
    name: `${trigger.name} / ${nameOf(piece)} / ${operator}${where}`,
    piece: nameOf(piece),
    operator,
    trigger: trigger.name,
    verb: trigger.verb,
    mayBeIdle,
    parts: (tell) => {
      const registry = new Registry();
      const parts = registeredParts(registry);
      return { ...parts, ...trigger.tellingOf(parts, watched(momentOf(registry), registry, piece, tell)) };
    },
  };
}

interface OwnedSlot {
  readonly object: object;
  readonly slot: Slot;
}

function slotsOf(registry: Registry, { part, path }: Piece): readonly OwnedSlot[] {
  return registry.of(part).flatMap((object) => {
    const slot = slotIn(object, path);
    return slot === undefined ? [] : [{ object, slot }];
  });
}

function chosen(slots: readonly OwnedSlot[], scope: Scope, named: ReadonlySet<object>): readonly OwnedSlot[] {
  switch (scope) {
    case 'all':
      return slots;
    case 'those named':
      return slots.filter(({ object }) => named.has(object));
    case 'all others':
      return slots.filter(({ object }) => !named.has(object));
  }
}

/** The slots after one, the nearest first. */
function siblingsOf({ slot }: OwnedSlot, slots: readonly OwnedSlot[]): readonly Slot[] {
  const at = slots.findIndex((one) => one.slot === slot);
  return [...slots.slice(at + 1), ...slots.slice(0, at)].map((one) => one.slot);
}

/** A kind of state that a systematic fault spoils, of one kind of object. */
export interface StateClass {
  readonly name: string;
  /** The pieces of the model that are of it. */
  readonly pieces: RegExp;
  /** What a user reads. */
  readonly effect: string;
  /** There where planted faults say more exactly what goes wrong. */
  readonly isNamedByFaults?: true;
}

const classes: readonly StateClass[] = [
  {
    name: 'members and answers',
    pieces: /^(wc|out)\./,
    effect: 'a member of a completion, or of what a verb fills in, is wrong',
    isNamedByFaults: true,
  },
  { name: 'returned', pieces: /^returned$/, effect: 'what a verb returns is wrong', isNamedByFaults: true },
  {
    name: 'Cq.request',
    pieces: /^(Cq\.request|notification|solicitation)$/,
    effect: 'a CQ spends, loses or keeps its request for a completion event when it should not',
  },
  {
    name: 'Cq.cqes',
    pieces: /^(Cq\.cqes|completion)$/,
    effect: 'completions are lost, come twice, late or in another order, or go into another CQ',
  },
  {
    name: 'Cq.capacity',
    pieces: /^Cq\.(capacity|overrun)$/,
    effect: 'a CQ has room for more or fewer completions than it should, or has overrun without cause',
  },
  {
    name: 'Cq.users',
    pieces: /^Cq\.users$/,
    effect: 'a CQ loses count of the QPs that use it',
  },
  {
    name: 'Cq.channel',
    pieces: /^Cq\.channel$/,
    effect: 'a CQ uses another completion channel than its own, or none',
  },
  {
    name: 'Cq.cqContext',
    pieces: /^Cq\.cqContext$/,
    effect: 'the user context of a CQ is wrong',
  },
  { name: 'Cq.moderation', pieces: /^Cq\.moderation\./, effect: 'the moderation of a CQ is wrong' },
  {
    name: 'Cq.compEvents.owed',
    pieces: /^Cq\.compEvents\.owed$/,
    effect: 'a CQ loses count of the completion events that are to be acknowledged',
  },
  ...(['Cq', 'Qp', 'Srq'] as const).map((part) => ({
    name: `${part}.asyncEvents.owed`,
    pieces: new RegExp(`^${part}\\.asyncEvents\\.owed$`),
    effect: `${article(part)} ${part.toUpperCase()} loses count of the asynchronous events that are to be acknowledged`,
  })),
  {
    name: 'CqIterator.current',
    pieces: /^CqIterator\.current$/,
    effect: 'an extended CQ reads another completion than the one that is its turn',
  },
  {
    name: 'CompChannel.events',
    pieces: /^CompChannel\.events$/,
    effect: 'the events that wait at a completion channel are lost, come twice, late or in another order',
  },
  {
    name: 'CompChannel.descriptor.flags',
    pieces: /^CompChannel\.descriptor\./,
    effect: 'O_NONBLOCK of the file descriptor of a completion channel is not as it was set',
  },
  {
    name: 'AsyncEvents.events',
    pieces: /^AsyncEvents\.events$/,
    effect: 'the asynchronous events that wait at a context are lost, come twice, late or in another order',
  },
  {
    name: 'AsyncEvents.descriptor.flags',
    pieces: /^AsyncEvents\.descriptor\./,
    effect: 'O_NONBLOCK of the file descriptor for asynchronous events is not as it was set',
  },
  { name: 'Srq.limit', pieces: /^Srq\.limit$/, effect: 'the limit of an SRQ is wrong' },
  {
    name: 'Srq.wrs',
    pieces: /^Srq\.wrs$/,
    effect: 'receives that were posted to an SRQ are lost, come twice or in another order',
  },
  {
    name: 'Qp.receives.wrs',
    pieces: /^Qp\.receives\.wrs$/,
    effect: 'receives that were posted to a QP are lost, come twice, late or in another order',
  },
];

/** The kind of state that a piece of the model is of. */
export function stateClassOf(piece: string): StateClass | undefined {
  return classes.find(({ pieces }) => pieces.test(piece));
}

function article(part: 'Cq' | 'Qp' | 'Srq'): string {
  return part === 'Srq' ? 'an' : 'a';
}

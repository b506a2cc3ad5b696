import type { SystematicFault } from '../../drivers/sim/faults/systematic/systematic-fault';
import type { Explanation } from '../../reports/diagnosis/diagnose';
import { nameOnly } from '../../reports/diagnosis/members/members';
import { stateClassOf } from './states/state-classes';
import type { Verdict } from './verdicts';

/**
 * Rules that are about a piece of the model's state, by the beginnings of their ids: narrower than those of the proof, which
 * count whole pages.
 */
const aboutPieces: readonly (readonly [piece: RegExp, rules: RegExp])[] = [
  [
    /^(Cq\.request|notification|solicitation)$/,
    /^ibv_req_notify_cq\.|^ibv_get_cq_event\.(takes-queued|waits-next|fd-pollin)|channel-used$/,
  ],
  [/compEvents\.owed$/, /^ibv_get_cq_event\.(ack|destroy-waits|every-event|fd-events-need-ack)/],
  [/asyncEvents\.owed$/, /^ibv_get_async_event\.(ack|destroy-.*waits|every-event|fd-events-need-ack)/],
  [/^AsyncEvents\./, /^ibv_get_async_event\./],
  [/ontext$/, /context/],
  [
    /^Cq\.channel$|^CompChannel\.(events|cqs)$/,
    /^ibv_create_comp_channel\.|channel|^ibv_get_cq_event\.(takes|waits|fills)/,
  ],
  [/descriptor\./, /\.fd-|descriptor|block/],
  [
    /^(Cq\.cqes|completion)$/,
    /^ibv_poll_cq\.(?!field|flag|error|wc)|^ibv_create_cq_ex\.(start|next|end|current)|backlog/,
  ],
  [/^Cq\.(capacity|overrun|init\.ignoreOverrun)$/, /cqe|size|overrun|resize|backlog|enlarge|shrink/],
  [/^Cq\.moderation/, /^ibv_modify_cq\./],
  [/^Cq\.users$/, /destroy/],
  [/^CqIterator\./, /^ibv_create_cq_ex\.(start|next|end|current|attr-wc-flags)/],
  [/^Srq\.limit$/, /^ibv_get_async_event\.event-srq-limit$/],
];

/**
 * How right the first cause is for a systematic fault. No rule is about the receives of a QP or an SRQ: of these only the state
 * itself is right.
 */
export function systematicVerdict(
  fault: SystematicFault,
  failed: ReadonlyMap<string, string>,
  explanation: Explanation | undefined,
): Verdict {
  const [first] = explanation?.faults ?? [];
  const { state } = explanation ?? {};
  if (state !== undefined) return stateClassOf(fault.piece)?.name === state.name ? 'same state' : 'wrong';
  if (explanation === undefined || first === undefined) return 'like no known fault';
  const { fails } = first;
  if (fails.size === failed.size && [...failed].every(([key, how]) => fails.get(key) === how)) return 'same failures';
  const member = /^wc\.(.*)/.exec(fault.piece)?.[1];
  if (member !== undefined) return nameOnly(first.rules, new Set([snake(member)])) ? 'same verb and member' : 'wrong';
  return isAbout(fault, explanation.rules[0] ?? '') ? 'about what is spoiled' : 'wrong';
}

/** Whether the rule that is named first is about the state that the fault spoils, or about what the C function gives. */
function isAbout({ piece, verb, page }: SystematicFault, rule: string): boolean {
  if (piece === 'returned')
    return isOfPage(page, rule) && /return|zero|errno|null|minus-one|enoent|\.signature$/.test(rule);
  if (piece.startsWith('out.')) return isOfPage(page, rule) && rule.includes(outputOf(piece, verb));
  return aboutPieces.find(([pieces]) => pieces.test(piece))?.[1].test(rule) === true;
}

function isOfPage(page: string | undefined, rule: string): boolean {
  return page !== undefined && rule.startsWith(`${page.replace(/\(.*/, '')}.`);
}

/** `ibv_wc_read_byte_len` gives byte-len, `out.cqContext` of others is a context. */
function outputOf(piece: string, verb = ''): string {
  const read = /^ibv_wc_read_(.*)/.exec(verb)?.[1];
  return (read ?? snake(piece.slice('out.'.length)).replace(/^cq_/, '')).replaceAll('_', '-');
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

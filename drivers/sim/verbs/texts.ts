import type { VerbName } from '../../pipeline/conventions';
import { stringOf } from '../../pipeline/values';
import type { Outcome } from '../return-values';
import { done, type Model, type Verb } from './verb';

/** Texts for enumerators: ibv_event_type_str(3). */
export function textVerbs({ texts }: Model) {
  const constant = (text: string): Outcome => done({ address: texts.addressOf(text) }, text);
  return {
    ibv_event_type_str: (args) => constant(texts.ofEventType(stringOf(args, 'eventType'))),
    ibv_node_type_str: (args) => constant(texts.ofNodeType(stringOf(args, 'nodeType'))),
    ibv_port_state_str: (args) => constant(texts.ofPortState(stringOf(args, 'portState'))),
  } satisfies Partial<Record<VerbName, Verb>>;
}

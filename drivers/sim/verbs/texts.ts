import type { Success } from '../return-values';
import { done, type Model, type ModelVerbs } from './verb';

/** Texts for enumerators: ibv_event_type_str(3). */
export function textVerbs({ texts }: Model) {
  const constant = (text: string): Success => done({ address: texts.addressOf(text) }, text);
  return {
    ibv_event_type_str: ({ eventType }) => constant(texts.ofEventType(eventType)),
    ibv_node_type_str: ({ nodeType }) => constant(texts.ofNodeType(nodeType)),
    ibv_port_state_str: ({ portState }) => constant(texts.ofPortState(portState)),
  } satisfies Partial<ModelVerbs>;
}

import { HarnessError, type TraceStruct } from '../../contract';
import type { VerbName } from '../../conventions';
import type { Outcome } from '../return-values';
import { done, type Model, type Verb } from './verb';

/** Texts for enumerators: ibv_event_type_str(3). */
export function textVerbs({ texts }: Model) {
  const constant = (text: string): Outcome => done({ address: texts.addressOf(text) }, text);
  return {
    ibv_event_type_str: (args) => constant(texts.ofEventType(enumeratorOf(args, 'eventType'))),
    ibv_node_type_str: (args) => constant(texts.ofNodeType(enumeratorOf(args, 'nodeType'))),
    ibv_port_state_str: (args) => constant(texts.ofPortState(enumeratorOf(args, 'portState'))),
  } satisfies Partial<Record<VerbName, Verb>>;
}

function enumeratorOf(args: TraceStruct, name: string): string | number {
  const value = args[name];
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new HarnessError(`"${name}" is neither the name of an enumerator nor a number`);
}

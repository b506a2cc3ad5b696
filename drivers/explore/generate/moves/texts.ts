import { eventType } from '../../../verbs/kinds';
import { nodeType, portState } from '../../../verbs/device';
import type { VerbName } from '../../../verbs';
import type { Walk } from '../walk';
import { move, type Moves } from './move';

const tables: readonly (readonly [VerbName, string, readonly string[]])[] = [
  ['ibv_event_type_str', 'eventType', eventType.names],
  ['ibv_node_type_str', 'nodeType', nodeType.names],
  ['ibv_port_state_str', 'portState', portState.names],
];

/** Asks for the texts of enumerators, of some twice. */
async function askForTexts(w: Walk): Promise<void> {
  const table = w.chance.pick(tables);
  if (table === undefined) return;
  const [verb, argument, names] = table;
  const first = w.chance.below(names.length);
  const asked = [...names.slice(first), ...names.slice(0, first)].slice(0, 12);
  for (const name of [...asked, ...w.chance.some(asked, 0.2), '200']) await w.call(verb, { [argument]: name });
}

export const texts: Moves = { 'ask-for-texts': move(0.7, askForTexts) };

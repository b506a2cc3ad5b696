import { Then, type DataTable } from '@cucumber/cucumber';
import { check, checkEqual, HarnessError, type ConstantText, type Verbs } from '../../drivers/contract';
import type { VerbsWorld } from '../world/world';

type TextVerb = (verbs: Verbs, value: string) => Promise<ConstantText>;

const textVerbs: Readonly<Record<string, TextVerb>> = {
  ibv_event_type_str: (verbs, value) => verbs.eventTypeStr(value),
  ibv_node_type_str: (verbs, value) => verbs.nodeTypeStr(value),
  ibv_port_state_str: (verbs, value) => verbs.portStateStr(value),
};

/** The one enumerator of each type whose text may say so is named for it. */
const isNamedUnknown = (value: string): boolean => value.endsWith('_UNKNOWN');

Then('{verb} describes each of these values:', async function (this: VerbsWorld, verb: string, table: DataTable) {
  for (const [value, { text }] of await textsOf(this, verb, table)) {
    const subject = `text of ${value}`;
    check(/\S/.test(text), { subject, expected: 'a text', observed: text });
    const isDescribed = isNamedUnknown(value) || !/^unknown/i.test(text);
    check(isDescribed, { subject, expected: 'the text of a value that the header names', observed: text });
  }
});

/** For a scenario that has asked for each text once: they are in its trace. */
Then('{verb} gave no two texts that are the same', function (this: VerbsWorld, verb: string) {
  const texts = new Map<string, string>();
  const asked = this.driver.trace().filter((record) => record.verb === verb);
  if (asked.length < 2) throw new HarnessError(`${verb} has not given two texts`, 'ask for them in a step before');
  for (const { args, returned } of asked) {
    const [value = ''] = Object.values(args).filter((one) => typeof one === 'string');
    const text = String(returned);
    const alsoOf = texts.get(text);
    const observed = { text, ...(alsoOf !== undefined && { alsoOf }) };
    check(alsoOf === undefined, { subject: `text of ${value}`, expected: 'a text of its own', observed });
    texts.set(text, value);
  }
});

/** Of two different texts at one address one was overwritten, whichever the last call gave. */
Then(
  '{verb} gives the same texts again for these values:',
  async function (this: VerbsWorld, verb: string, table: DataTable) {
    const before = await textsOf(this, verb, table);
    const after = await textsOf(this, verb, table);
    const subject = `texts that ${verb}() gave again`;
    checkEqual({ subject, expected: before.map(withoutAddress), observed: after.map(withoutAddress) });
    const texts = new Map<bigint, string>();
    for (const [value, { text, address }] of [...before, ...after]) {
      const observed = texts.get(address) ?? text;
      checkEqual({ subject: `text at the address of that of ${value}`, expected: text, observed });
      texts.set(address, text);
    }
  },
);

const withoutAddress = ([value, { text }]: readonly [string, ConstantText]): readonly string[] => [value, text];

async function textsOf(
  world: VerbsWorld,
  verb: string,
  table: DataTable,
): Promise<(readonly [string, ConstantText])[]> {
  const textOf = textVerbs[verb];
  if (textOf === undefined)
    throw new HarnessError(`${verb} gives no text`, `known: ${Object.keys(textVerbs).join(', ')}`);
  const texts: (readonly [string, ConstantText])[] = [];
  for (const [value = ''] of table.raw()) texts.push([value, await textOf(world.driver, value)]);
  return texts;
}

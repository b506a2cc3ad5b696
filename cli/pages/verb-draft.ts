import { textOfRuns, type ManPage } from '../../reports/spec-book/man-page';

/** A function as the synopsis of a page declares it. */
interface Prototype {
  readonly returns: string;
  readonly name: string;
  readonly parameters: readonly { readonly type: string; readonly name: string }[];
}

/** Structs that programs know by a pointer alone, by what descriptions call them. */
const objects: ReadonlyMap<string, string> = new Map([
  ...['context', 'pd', 'mr', 'mw', 'cq', 'qp', 'srq', 'ah', 'wq', 'xrcd', 'td', 'dm', 'counters', 'flow'].map(
    (kind) => [`struct ibv_${kind} *`, kind] as const,
  ),
  ['struct ibv_comp_channel *', 'channel'],
  ['struct ibv_cq_ex *', 'cq'],
  ['struct ibv_qp_ex *', 'qp'],
]);

const numbers: ReadonlyMap<string, string> = new Map([
  ['int', 'i32'],
  ['unsigned int', 'u32'],
  ['uint8_t', 'u8'],
  ['uint16_t', 'u16'],
  ['uint32_t', 'u32'],
  ['uint64_t', 'u64'],
  ['size_t', 'size'],
  ['void *', 'u64'],
]);

/** Drafts the descriptions of the verbs that a page declares, from its synopsis and what it says of results. */
export function draftVerbs(page: ManPage): string {
  return prototypesOf(page)
    .map((prototype) => describe(prototype, page))
    .join('');
}

function prototypesOf(page: ManPage): Prototype[] {
  const declarations = sectionText(page, /^SYNOPSIS$/).matchAll(/([\w\s*]+?)\b(ibv_\w+)\s*\(([^)]*)\)\s*;/g);
  return [...declarations].map(([, returns = '', name = '', parameters = '']) => ({
    returns: typeOf(returns),
    name,
    parameters: parameters
      .split(',')
      .map((parameter) => parameter.trim())
      .filter((parameter) => parameter !== '' && parameter !== 'void')
      .map(parameterOf),
  }));
}

function sectionText({ sections }: ManPage, title: RegExp): string {
  const sentences = sections
    .filter((section) => title.test(section.title))
    .flatMap(({ blocks }) => blocks.flatMap((block) => block.sentences));
  return sentences
    .map(({ runs }) => textOfRuns(runs))
    .filter((text) => !text.trim().startsWith('#'))
    .join('\n');
}

function parameterOf(parameter: string): { type: string; name: string } {
  const [, type = parameter, name = 'unnamed'] = /^(.*?)(\w+)(?:\[\w*\])?$/s.exec(parameter) ?? [];
  return { type: typeOf(type), name };
}

/** `const struct ibv_pd*` as `struct ibv_pd *`. */
function typeOf(text: string): string {
  return text
    .replace(/\b(?:const|static|inline|extern)\b/g, ' ')
    .replace(/\s*\*\s*/g, ' * ')
    .replace(/\s+/g, ' ')
    .replace(/\* (?=\*)/g, '*')
    .trim();
}

function describe({ returns, name, parameters }: Prototype, page: ManPage): string {
  const made = objects.get(returns);
  const ended = /_(?:destroy|dealloc|dereg|free|close|unimport)_/.test(name) ? parameters[0] : undefined;
  const kind = ended && objects.get(ended.type);
  const lines = [
    `c: '${name}'`,
    `page: '${page.name}(3)'`,
    `fails: '${failureOf(returns, sectionText(page, /^RETURN VALUE$/))}'`,
    ...(made === undefined ? [] : [`makes: '${made}'`]),
    ...(kind === undefined ? [] : [`ends: '${kind}'`]),
    ...(returns === 'char *' ? [`returns: 'text'`] : []),
    `in: [${parameters.map(argumentOf).join(', ')}]`,
  ];
  const method = camelCase(name.replace(/^ibv_/, ''));
  return `  /** ${page.name}(3). */\n  ${method}: verb({\n${lines.map((line) => `    ${line},\n`).join('')}  }),\n`;
}

function argumentOf({ type, name }: Prototype['parameters'][number]): string {
  const kind = objects.get(type);
  const known = kind === undefined ? numbers.get(type) : `object('${kind}')`;
  return `{ ${camelCase(name)}: ${known ?? `/* TODO: ${type} */`} }`;
}

function failureOf(returns: string, results: string): string {
  if (returns === 'void' || returns === 'char *') return 'never';
  if (returns.endsWith('*')) return 'null';
  if (results.includes('value of errno')) return 'errno';
  if (/-1\b|\u22121/.test(results)) return 'minus-one';
  return results.includes('negative') ? 'negative' : 'errno';
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

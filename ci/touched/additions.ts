import ts from 'typescript';

/** What a commit can add to the specification. */
export const additionKinds = ['rule', 'verb', 'member'] as const;
export type AdditionKind = (typeof additionKinds)[number];

/** Names by kind: ids of clauses, C functions, members of structs. */
export type AddedNames = Readonly<Record<AdditionKind, ReadonlySet<string>>>;

/** A file as it is in some commit. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

/** Whether a file can name what is counted. */
export function isNaming(path: string): boolean {
  return isFeature(path) || isDescription(path);
}

function isFeature(path: string): boolean {
  return /^features\/.*\.feature$/.test(path);
}

function isDescription(path: string): boolean {
  return /^drivers\/verbs\/[^/]*(?<!\.test)\.ts$/.test(path);
}

/** The rules of features, and the verbs and members of descriptions. */
export function namedIn(files: readonly FileText[]): AddedNames {
  const named = { rule: new Set<string>(), verb: new Set<string>(), member: new Set<string>() };
  for (const { path, text } of files) {
    if (isFeature(path)) for (const id of rulesIn(text)) named.rule.add(id);
    if (isDescription(path)) addDescribed(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true), named);
  }
  return named;
}

function rulesIn(feature: string): string[] {
  const tags = feature.split('\n').filter((line) => line.trim().startsWith('@'));
  return tags.flatMap((line) =>
    [...line.matchAll(/@((?!needs\.)[a-z][a-z0-9_]*\.[a-z0-9-]+)/g)].map(([, id = '']) => id),
  );
}

/** `verb({ c: 'ibv_poll_cq' })` and `struct('ibv_wc', { wrId: u64 }, { srcQp: u32 })`. */
function addDescribed(node: ts.Node, named: { readonly verb: Set<string>; readonly member: Set<string> }): void {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const [first, ...others] = node.arguments;
    if (node.expression.text === 'verb' && first) for (const name of functionIn(first)) named.verb.add(name);
    if (node.expression.text === 'struct' && first && ts.isStringLiteralLike(first)) {
      for (const member of others.flatMap(memberNames)) named.member.add(`${first.text}.${member}`);
    }
  }
  node.forEachChild((child) => {
    addDescribed(child, named);
  });
}

function functionIn(description: ts.Expression): string[] {
  if (!ts.isObjectLiteralExpression(description)) return [];
  return description.properties.flatMap((property) => {
    const isName = ts.isPropertyAssignment(property) && property.name.getText() === 'c';
    return isName && ts.isStringLiteralLike(property.initializer) ? [property.initializer.text] : [];
  });
}

function memberNames(members: ts.Expression): string[] {
  if (!ts.isObjectLiteralExpression(members)) return [];
  return members.properties.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
}

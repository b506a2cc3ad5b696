import { relative } from 'node:path';
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  SyntaxKind,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { readTextFile } from '../../drivers/support/files';
import type { Clauses } from '../../catalog/clauses';
import { asDeviations, type ListedDeviation } from '../../catalog/deviations';
import type { Departure } from '../../catalog/schema';
import { nearest } from '../../drivers/contract';
import { listBytesMax } from './read-file';
import { root } from '../common/project';

/** Something wrong at a line of a list of deviations. */
export interface Defect {
  readonly line: number;
  /** What is wrong, and where within the line. */
  readonly text: string;
}

/** A list of deviations as it was read: with a defect, there is no list. */
export interface DeviationFile {
  readonly deviations: readonly ListedDeviation[];
  readonly defects: readonly Defect[];
}

/** Reads a list of deviations. Throws what {@link readTextFile} throws. */
export function readDeviationFile(path: string, clauses: Clauses): DeviationFile {
  return parseDeviationFile(readTextFile(path, listBytesMax), shortPath(path), clauses);
}

/**
 * Reads a list of deviations: its JSON, its schema, its ranges, and that its rules exist.
 *
 * @param name - what the file is called where an entry is shown
 */
export function parseDeviationFile(text: string, name: string, clauses: Clauses): DeviationFile {
  const tooDeep = offsetOfDepth(text, levelsMax);
  if (tooDeep !== undefined) {
    return withDefects([{ line: lineAtOffset(text, tooDeep), text: `is nested more than ${levelsMax} levels deep` }]);
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (tree === undefined || error !== undefined) return withDefects([syntaxDefect(text, error)]);
  const lineAt = (path: string): number => lineAtOffset(text, nodeAt(tree, path).offset);
  const read = asDeviations(getNodeValue(tree));
  if ('departures' in read) {
    return withDefects(read.departures.map((departure) => defectOf(departure, lineAt(departure.path))));
  }
  const unknown = read.flatMap(({ rule }, index) => {
    if (clauses.has(rule)) return [];
    const departure = { path: `/deviations/${index}/rule`, text: unknownRule(rule, clauses) };
    return [defectOf(departure, lineAt(departure.path))];
  });
  if (unknown.length > 0) return withDefects(unknown);
  const deviations = read.map((entry, index) => ({ ...entry, listedAt: `${name}:${lineAt(`/deviations/${index}`)}` }));
  return { deviations, defects: [] };
}

/** Levels of lists and objects that are read; a list of deviations has some eight. */
const levelsMax = 64;

/** Where a text opens more lists and objects than that, which its parser, level by level, could not bear. */
function offsetOfDepth(text: string, most: number): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== SyntaxKind.EOF; token = scanner.scan()) {
    if (token === SyntaxKind.OpenBraceToken || token === SyntaxKind.OpenBracketToken) depth += 1;
    if (token === SyntaxKind.CloseBraceToken || token === SyntaxKind.CloseBracketToken) depth -= 1;
    if (depth > most) return scanner.getTokenOffset();
  }
  return undefined;
}

/** A path as the user may type it: within the project if it is there, else as it was given. */
export function shortPath(path: string): string {
  const within = relative(root, path);
  return within.startsWith('..') ? path : within;
}

function withDefects(defects: readonly Defect[]): DeviationFile {
  return { deviations: [], defects };
}

function syntaxDefect(text: string, error: ParseError | undefined): Defect {
  const what = error === undefined ? 'it is empty' : printParseErrorCode(error.error);
  return { line: lineAtOffset(text, error?.offset ?? 0), text: `is not valid JSON: ${what}` };
}

function defectOf({ path, text }: Departure, line: number): Defect {
  return { line, text: `${path === '' ? 'the list' : path} ${text}` };
}

function unknownRule(rule: string, clauses: Clauses): string {
  const near = nearest(rule, clauses.keys());
  return `"${rule}" is not a known rule; ${near === undefined ? '`verbspec rules` lists them' : `did you mean ${near}?`}`;
}

/** The node that a JSON pointer names, or the nearest one around it. */
function nodeAt(tree: Node, pointer: string): Node {
  const keys = pointer.split('/').slice(1);
  const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll('~1', '/').replaceAll('~0', '~')));
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return node;
  }
  return tree;
}

function lineAtOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/**
 * The host process: executes verbs for a client at the other end of its stdin and stdout, as protocol.ts says.
 * Verbs run here and not in the test process because a provider may crash, hang or corrupt memory.
 */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createJSONRPCErrorResponse, type JSONRPCID } from 'json-rpc-2.0';
import { HarnessError } from '../../contract';
import { loadAddon, type Addon } from './addon';
import { answerHello } from './answer-hello';
import { readLines } from '../../support/lines';
import { decodeMessage, encodeMessage, errorCodes, maxLevels, maxLineBytes } from '../protocol';

const stdin = 0;
const stdout = 1;

/** Milliseconds from the end of input until the process ends, for a main thread that a verb blocks. */
const hangUpGraceMs = 2000;

const exitCodes = { usage: 2, failed: 3 };

function main(): void {
  const { session, virtualTime } = readArguments(process.argv.slice(2));
  let addon: Addon;
  try {
    addon = loadAddon();
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    refuseEverything(error);
    return;
  }
  serve(addon, session, virtualTime);
}

function readArguments(args: string[]): { readonly session: number; readonly virtualTime: boolean } {
  const options = { session: { type: 'string' }, 'virtual-time': { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ args, options });
  const session = Number(values.session);
  if (values.session === undefined || !Number.isInteger(session)) {
    process.stderr.write('usage: host --session NUMBER [--virtual-time]\n');
    process.exit(exitCodes.usage);
  }
  return { session, virtualTime: values['virtual-time'] };
}

function serve(addon: Addon, session: number, virtualTime: boolean): void {
  const output = addon.claimStdout();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    addon.exit(exitCodes.failed);
  });
  addon.writeLine(output, '');
  const options = { input: stdin, output, session, maxLineBytes, maxLevels, graceMs: hangUpGraceMs, virtualTime };
  const chooseDevice = addon.serve({ ...options, exitCodeIfFailed: exitCodes.failed }, (line) => {
    addon.writeLine(output, JSON.stringify(answerHello(addon, session, line, chooseDevice)));
  });
}

/** Without the addon there are no verbs, but the client can still be answered why. */
function refuseEverything({ message }: HarnessError): void {
  const answer = (line: string) => {
    const id = idIn(line);
    if (id === undefined) return;
    writeSync(stdout, `${encodeMessage(createJSONRPCErrorResponse(id, errorCodes.unusableHost, message))}\n`);
  };
  const end = () => process.exit(exitCodes.failed);
  readLines(process.stdin, maxLineBytes, { line: answer, tooLong: end }, end);
}

/** The id of a request; `undefined` for what is none. */
function idIn(line: string): JSONRPCID | undefined {
  try {
    const request = decodeMessage(line);
    const id: unknown = typeof request === 'object' && request !== null && 'id' in request ? request.id : undefined;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

main();

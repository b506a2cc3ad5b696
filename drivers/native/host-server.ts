import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  JSONRPCErrorCode,
  JSONRPCErrorException,
  type JSONRPCErrorResponse,
  type JSONRPCID,
  type JSONRPCRequest,
} from 'json-rpc-2.0';
import type { Dut, TraceStruct } from '../contract';
import type { Addon, VerbSet } from './addon';
import { describeDevice, helloParamsOf } from './hello';
import { errorCodes, maxLineBytes } from './protocol';

/** What a request executes; a promise where that may take its time. */
type Method = (params: TraceStruct) => unknown;

/** Answers the requests of one session with the verbs of the addon. It has no opinion on what a verb answers. */
export class HostServer {
  readonly #methods = new Map<string, Method>();
  readonly #addon: Addon;
  readonly #session: number;
  readonly #send: (text: string) => void;
  readonly #set: VerbSet;
  #greeted = false;
  #device: string | undefined;

  /** @param send - writes one line, which comes without its newline */
  constructor(addon: Addon, session: number, send: (text: string) => void) {
    this.#addon = addon;
    this.#session = session;
    this.#send = send;
    this.#set = addon.createVerbs();
    this.#methods.set('hello', (params) => this.#hello(params));
    this.#methods.set('leftovers', ({ full }) => (full === true ? this.#remains() : this.#set.leftovers()));
    for (const [name, verb] of Object.entries(this.#set.verbs)) {
      this.#methods.set(name, (params) => verb(this.#paramsOf(name, params)));
    }
  }

  /** Takes one line, and answers it when its verb has returned. */
  receive(line: string): void {
    const message = parsedOrUndefined(line);
    if (!this.#greeted && !isHello(message, this.#session)) return;
    this.#greeted = true;
    if (message === undefined) {
      this.#answer(createJSONRPCErrorResponse(null, JSONRPCErrorCode.ParseError, 'the line is not JSON'));
    } else if (!isRequest(message)) {
      this.#answer(createJSONRPCErrorResponse(null, JSONRPCErrorCode.InvalidRequest, 'the line is no request'));
    } else {
      this.#execute(message);
    }
  }

  /** Answers a line that is too long to be read. The rest of it is still coming, so the conversation is over. */
  refuseLongLine(): void {
    const message = `a line is longer than ${maxLineBytes} bytes`;
    this.#answer(createJSONRPCErrorResponse(null, JSONRPCErrorCode.InvalidRequest, message));
  }

  /** A verb that does not block is answered on the spot: in a VM without KVM, each turn of promises costs the client. */
  #execute({ id = null, method, params }: JSONRPCRequest): void {
    const succeed = (result: unknown): void => {
      this.#answer(createJSONRPCSuccessResponse(id, result));
    };
    const fail = (error: unknown): void => {
      this.#answer(errorResponse(id, error));
    };
    try {
      const result = this.#method(method)((params ?? {}) as TraceStruct);
      if (result instanceof Promise) void result.then(succeed, fail);
      else succeed(result);
    } catch (error) {
      fail(error);
    }
  }

  #remains(): TraceStruct {
    const resources = this.#device === undefined ? null : this.#addon.resourceCounts(this.#device);
    const handles = this.#set.leftovers();
    return {
      handles,
      files: this.#addon.openRdmaFiles(),
      resources: resources ?? {},
      tainted: this.#addon.kernelTaint(),
    };
  }

  #method(name: string): Method {
    const method = this.#methods.get(name);
    if (method === undefined) throw new JSONRPCErrorException('Method not found', JSONRPCErrorCode.MethodNotFound);
    return method;
  }

  #answer(response: unknown): void {
    this.#send(JSON.stringify(response));
  }

  async #hello(params: unknown): Promise<Dut> {
    const hello = helloParamsOf(params);
    if (hello.session !== this.#session) throw badParams(`this host is of session ${this.#session}`);
    this.#device = undefined;
    const dut = await describeDevice(this.#addon, hello);
    this.#device = hello.device;
    return dut;
  }

  /** The client opens the device of its `hello` and names no other. */
  #paramsOf(verb: string, params: TraceStruct): TraceStruct {
    if (verb !== 'ibv_open_device') return params;
    if ('device' in params) throw badParams('unknown parameter device');
    if (this.#device === undefined) throw badParams('no hello has chosen a device');
    return { ...params, device: this.#device };
  }
}

function badParams(message: string): JSONRPCErrorException {
  return new JSONRPCErrorException(message, JSONRPCErrorCode.InvalidParams);
}

function parsedOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a message is the first one meant for this host; all before it are remains of earlier sessions. */
function isHello(message: unknown, session: number): boolean {
  if (!isStruct(message) || message.method !== 'hello') return false;
  return isStruct(message.params) && message.params.session === session;
}

function isRequest(message: unknown): message is JSONRPCRequest {
  if (!isStruct(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return false;
  const idIsRight = typeof message.id === 'number' || typeof message.id === 'string';
  return idIsRight && (message.params === undefined || typeof message.params === 'object');
}

function isStruct(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const codesOfAddon = new Map<unknown, number>([
  ['badHandle', errorCodes.badHandle],
  ['badParams', JSONRPCErrorCode.InvalidParams],
]);

function errorResponse(id: JSONRPCID, error: unknown): JSONRPCErrorResponse {
  if (error instanceof JSONRPCErrorException) {
    return createJSONRPCErrorResponse(id, error.code, error.message, error.data);
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = isStruct(error) ? codesOfAddon.get(error.code) : undefined;
  return createJSONRPCErrorResponse(id, code ?? JSONRPCErrorCode.InternalError, message);
}

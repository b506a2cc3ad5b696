import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  JSONRPCErrorCode,
  JSONRPCErrorException,
  type JSONRPCID,
  type JSONRPCResponse,
} from 'json-rpc-2.0';
import type { Addon } from './addon';
import { describeDevice, helloParamsOf } from './hello';

/**
 * Answers the line of a `hello`.
 *
 * @param session - number of this host process within the run
 * @param chooseDevice - sets the device that the client may open; gets `null` before
 */
export function answerHello(
  addon: Addon,
  session: number,
  line: string,
  chooseDevice: (device: string | null) => void,
): JSONRPCResponse {
  const { id, params } = JSON.parse(line) as { id: JSONRPCID; params?: unknown };
  chooseDevice(null);
  try {
    const hello = helloParamsOf(params);
    if (hello.session !== session) {
      throw new JSONRPCErrorException(`this host is of session ${session}`, JSONRPCErrorCode.InvalidParams);
    }
    const dut = describeDevice(addon, hello);
    chooseDevice(hello.device);
    return createJSONRPCSuccessResponse(id, dut);
  } catch (error) {
    if (error instanceof JSONRPCErrorException) {
      return createJSONRPCErrorResponse(id, error.code, error.message, error.data);
    }
    const message = error instanceof Error ? error.message : String(error);
    return createJSONRPCErrorResponse(id, JSONRPCErrorCode.InternalError, message);
  }
}

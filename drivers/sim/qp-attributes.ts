import type { QpAttr } from '../contract';
import type { Port } from './port';
import { timerCodes } from './qp-timers';

/** Largest number of retries; of rnr_retry it stands for no limit. */
const retriesMax = 7;
/** Path MTUs in bytes. */
const mtus = [256, 512, 1024, 2048, 4096];

/** Whether a QP on this port can have these attributes at all: ibv_modify_qp(3). */
export function arePossible({ portNum, pkeyIndex, pathMtu, ahAttr, ...codes }: QpAttr, port: Port): boolean {
  const { retryCnt = 0, rnrRetry = 0, minRnrTimer = 0, timeout = 0 } = codes;
  return (
    (portNum === undefined || portNum === port.portNum) &&
    (pkeyIndex === undefined || pkeyIndex === 0) &&
    (pathMtu === undefined || (pathMtu <= port.activeMtu && mtus.includes(pathMtu))) &&
    (ahAttr === undefined || port.accepts(ahAttr)) &&
    Math.max(retryCnt, rnrRetry) <= retriesMax &&
    Math.max(minRnrTimer, timeout) < timerCodes
  );
}

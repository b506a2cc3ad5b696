import { HarnessError, type Dut } from '../contract';
import { InProcessDriver } from '../pipeline/in-process-driver';
import { TrialSession, type Tell } from '../pipeline/trials/trial-session';
import { tryCapabilities, tryQpTypes } from '../pipeline/trials/try-capabilities';
import { choosePkey, limitedRemedy, limitedText } from '../pipeline/pkeys';
import { SimBackend } from './backend';
import { simulatedDut } from './device/dut';
import type { Parts } from './device/device';
import { limits } from './simulator';

/** A simulator whose QPs take the P_Key that those of a device do. @throws HarnessError where none of its port will do */
export function backendOf(parts: Parts): SimBackend {
  const { port, hcaId } = simulatedDut;
  const chosen = choosePkey(new parts.Device(parts).pkeys);
  if ('limitedAlone' in chosen) {
    throw new HarnessError(limitedText(port.portNum, hcaId, chosen.limitedAlone), limitedRemedy);
  }
  if (chosen.index === 0) return new SimBackend(parts);
  return new SimBackend(parts, undefined, { ...simulatedDut, port: { ...port, pkeyIndex: chosen.index } });
}

/**
 * What a simulator says of itself that may lack something: how many ports it has, and the capabilities that it shows in trials, as a device does.
 *
 * @param tell - gets a line about each trial that it does not survive
 */
export async function triedDut(backend: SimBackend, tell: Tell): Promise<Dut> {
  const session = new TrialSession(new InProcessDriver(backend, limits), tell);
  const asked = await session.attempt('the query of the device', ({ driver, context }) => driver.queryDevice(context));
  const { physPortCnt } = asked.is === 'done' ? asked.result : backend.dut;
  const shown = await tryCapabilities(session, await tryQpTypes(session));
  await session.end();
  return { ...backend.dut, physPortCnt, capabilities: [...shown, 'port-control'] };
}

import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, it } from 'node:test';
import { DutHung, HarnessError, type Capability, type TraceStruct } from '../../contract';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { limits } from '../../sim/simulator';
import { Testbed } from '../../sim/testbed';
import type { RawResult } from '../backend';
import { refusalOf, type VerbName } from '../conventions';
import { VerbsDriver } from '../verbs-driver';
import { preflight } from './preflight';
import { TrialSession } from './trial-session';

/** A device of InfiniBand or RoCE on a network of the simulator, where some calls come to something else. */
class Device extends SimBackend {
  constructor(
    network: ConstructorParameters<typeof Testbed>[0] = {},
    readonly defect: (verb: VerbName) => number | Error | undefined = () => undefined,
    parts: Parts = soundParts,
  ) {
    super(parts, new Testbed(network), { ...simulatedDut, transport: 'IBV_TRANSPORT_IB' });
  }

  override async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const defect = this.defect(verb);
    if (defect === undefined) return super.call(verb, args);
    if (defect instanceof Error) throw defect;
    return { returned: refusalOf(verb, defect), errno: defect, outputs: {}, startedAt: 0, durationUs: 1 };
  }
}

async function flown(device: Device, ...qpTypes: Capability[]): Promise<[number | undefined, string[]]> {
  const told: string[] = [];
  const session = new TrialSession(new VerbsDriver(device, limits), (line) => told.push(line));
  const latencyMs = await preflight(session, new Set(qpTypes));
  await session.end();
  if (told.length === 0) assert.deepEqual(await device.end(), []);
  return [latencyMs, told];
}

const isLoss =
  (...parts: RegExp[]) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof HarnessError);
    assert.ok(!error.message.includes('\n'));
    for (const part of [...parts, /P_Key.*full member/, /VLAN/, /e-switch/, /ACTIVE/, /--gid-index/]) {
      assert.match(error.message, part);
    }
    return true;
  };

describe('the message of a device to itself', () => {
  it('does not arrive where its QPs are limited members of their partition', async () => {
    const limited = new Device({}, undefined, {
      ...soundParts,
      Device: class extends soundParts.Device {
        override readonly pkeys: readonly number[] = [0x7fff, 0xffff];
      },
    });
    await assert.rejects(flown(limited, 'connection'), isLoss(/no RC message/, /P_Key index 0/));
    await assert.rejects(flown(limited, 'ud'), isLoss(/no UD message/, /P_Key index 0/));
  });

  it('shows how long the way takes', async () => {
    const network = { oneWayDelayMinUs: 3000, oneWayDelayMeanUs: 3000 };
    for (const types of [['connection', 'ud'], ['ud']] as const) {
      const [latencyMs, told] = await flown(new Device(network), ...types);
      assert.ok(latencyMs !== undefined && latencyMs >= 3 && latencyMs < 10, String(latencyMs));
      assert.deepEqual(told, []);
    }
  });

  it('is not sent where no QP comes up', async () => {
    assert.deepEqual(await flown(new Device()), [undefined, []]);
  });

  it('that does not arrive ends the run, with the causes that are likely', async () => {
    const lossy = () => new Device({ packetLossProbability: 1 });
    const place =
      /^no RC message of sim0, port 1, GID index 0, P_Key index 0, to itself arrives within 1000 ms: the send has no CQE/;
    await assert.rejects(flown(lossy(), 'connection'), isLoss(place));
    await assert.rejects(
      flown(lossy(), 'ud'),
      isLoss(/^no UD message .* the send has IBV_WC_SUCCESS, the receive no CQE/),
    );
  });

  it('that cannot be sent because RC QPs are not connected ends the run', async () => {
    const device = new Device({}, (verb) => (verb === 'ibv_modify_qp' ? constants.errno.EINVAL : undefined));
    await assert.rejects(flown(device), isLoss(/^RC QPs of sim0, .* cannot be connected: ibv_modify_qp.* EINVAL/));
  });

  it('that hangs is reported, and left to the scenarios', async () => {
    const hung = new DutHung('ibv_post_send() did not return within 10 s');
    const [latencyMs, told] = await flown(
      new Device({}, (verb) => (verb === 'ibv_post_send' ? hung : undefined)),
      'connection',
    );
    assert.equal(latencyMs, undefined);
    assert.deepEqual(told, [`the message of the device to itself before the first scenario failed: ${hung.message}`]);
  });

  it('that is refused is left to the scenarios', async () => {
    const device = new Device({}, (verb) => (verb === 'ibv_post_send' ? constants.errno.ENOMEM : undefined));
    assert.deepEqual(await flown(device, 'connection'), [undefined, []]);
  });
});

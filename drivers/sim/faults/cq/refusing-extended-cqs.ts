import type { CompChannel } from '../../channel/comp-channel';
import type { Cq, CqExInit } from '../../cq/cq';
import type { Context } from '../../device/context';
import { Device, type Parts } from '../../device/device';
import { demand } from '../../refusal';

/** A device that refuses extended CQs unless they are as it wants them. */
export function refusingExtendedCqs(
  errno: Parameters<typeof demand>[1],
  isWanted: (attr: CqExInit, channel: CompChannel | undefined) => boolean,
): Partial<Parts> {
  class Refusing extends Device {
    override createCqEx(context: Context, attr: CqExInit, channel: CompChannel | undefined): Cq {
      demand(isWanted(attr, channel), errno);
      return super.createCqEx(context, attr, channel);
    }
  }
  return { Device: Refusing };
}

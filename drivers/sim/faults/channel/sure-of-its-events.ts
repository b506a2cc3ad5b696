import { CompChannel } from '../../channel/comp-channel';
import { demand } from '../../refusal';

/** A channel whose gets do not go by what poll() finds. */
export class SureOfItsEvents extends CompChannel {
  override beginGet(): void {
    demand(this.events.length > 0 || !this.descriptor.flags.includes('O_NONBLOCK'), 'EAGAIN');
  }
}

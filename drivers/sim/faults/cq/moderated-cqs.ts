import { Cq, type Cqe } from '../../cq/cq';
import type { Fault } from '../fault';

const notify = 'ibv_req_notify_cq';
const modify = 'ibv_modify_cq';

/** A CQ that can forget the event which it has gathered CQEs for. */
class ForgetfulCq extends Cq {
  #isGathering = false;
  #isForgotten = false;

  protected override gather(): void {
    this.#isGathering = true;
    super.gather();
  }

  protected override fire(): void {
    const isForgotten = this.#isForgotten;
    this.#isGathering = this.#isForgotten = false;
    if (!isForgotten) super.fire();
  }

  protected forgetEvent(): void {
    this.#isForgotten = this.#isGathering;
  }

  protected get isGathering(): boolean {
    return this.#isGathering;
  }
}

/** What goes wrong where a moderated CQ gathers CQEs, and something else is done to it. */
export const faults: Readonly<Record<string, Fault>> = {
  'poll-ends-a-moderated-batch': {
    rules: [`${modify}.moderate-period`],
    effect: 'a poll while a moderated CQ waits for its period takes the event away',
    parts: {
      Cq: class extends ForgetfulCq {
        override poll(numEntries: number): Cqe[] {
          this.forgetEvent();
          return super.poll(numEntries);
        }
      },
    },
  },
  'resize-ends-a-moderated-batch': {
    rules: [`${modify}.moderate-period`],
    effect: 'a resize while a moderated CQ waits for its period takes the event away',
    parts: {
      Cq: class extends ForgetfulCq {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.forgetEvent();
        }
      },
    },
  },
  'unsolicited-cqes-fill-a-moderated-batch': {
    rules: [`${notify}.nonzero-solicited-only`],
    effect: 'for a moderated CQ that is armed for solicited CQEs unsolicited ones count as well',
    parts: {
      Cq: class extends Cq {
        protected override matchesRequest(cqe: Cqe): boolean {
          return super.matchesRequest(cqe) || (this.request === 'solicited' && this.moderation.cqCount > 1);
        }
      },
    },
  },
  'moderated-event-comes-again': {
    rules: [`${notify}.silent-until-rearmed`],
    effect: 'an event that cq_count has made is made again when cq_period is over',
    parts: {
      Cq: class extends Cq {
        protected override gather(): void {
          const { clock, cqCount, cqPeriodUs } = this.moderation;
          super.gather();
          if (cqCount === 1 || this.request !== undefined) return;
          clock.schedule(cqPeriodUs, () => {
            if (this.request !== undefined) this.fire();
          });
        }
      },
    },
  },
  'moderated-event-outlives-its-cq': {
    rules: ['ibv_create_cq.destroys'],
    effect: 'a moderated CQ that is destroyed while it gathers CQEs makes its event all the same',
    parts: {
      Cq: class extends ForgetfulCq {
        override beginDestroy(): void {
          super.beginDestroy();
          if (!this.isGathering) return;
          this.moderation.clock.schedule(this.moderation.cqPeriodUs, () => {
            this.channel?.add(this);
          });
        }
      },
    },
  },
};

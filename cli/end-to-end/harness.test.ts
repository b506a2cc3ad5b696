import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  blankWc,
  DutCrashed,
  DutHung,
  DutPanicked,
  HarnessError,
  VerbsError,
  type AsyncEvent,
  type Driver,
  type Dut,
  type Wc,
} from '../../drivers/contract';
import { createDriver } from '../../drivers/sim';
import { judgedScenarios, pathOf } from '../run/judge-run';
import { featureRules } from '../inputs/features';

const fixture = (name: string): string => join(__dirname, '..', 'fixtures', `${name}.feature`);

/** Runs the scenarios of a rule, or a file, on the simulator after `spoil` has had its way with the driver. */
async function outcome(
  what: string,
  spoil: (driver: Driver) => void,
  cucumberOptions: readonly string[] = [],
): Promise<{ verdicts: string[]; detail: string }> {
  const driver = await createDriver({ progress: () => undefined });
  spoil(driver);
  const rule = featureRules().find(({ ids }) => ids.includes(what));
  const scenarios = await judgedScenarios(
    driver,
    [rule === undefined ? what : pathOf(rule)],
    undefined,
    cucumberOptions,
  );
  return { verdicts: scenarios.map(({ verdict }) => verdict), detail: scenarios[0]?.detail ?? '' };
}

const refuse = (verb: string, errno: string) => () => Promise.reject(new VerbsError(verb, errno, null));
const foreignEvent: AsyncEvent = { handle: 'event#0', eventType: 'IBV_EVENT_COMM_EST', element: null };

function refusedEnd(driver: Driver): void {
  driver.destroyCompChannel = refuse('ibv_destroy_comp_channel', 'EBUSY');
}

function hangingEnd(driver: Driver): void {
  driver.destroyCompChannel = () => new Promise(() => undefined);
}

function leakAtTheEnd(driver: Driver): void {
  driver.end = () => Promise.resolve(['cq#9']);
}

/** Puts asynchronous events that have nothing to do with the scenario before those of the device. */
function addForeignEvents(driver: Driver, count: number, event = foreignEvent): void {
  const poll = driver.poll.bind(driver);
  const getAsyncEvent = driver.getAsyncEvent.bind(driver);
  const ackAsyncEvent = driver.ackAsyncEvent.bind(driver);
  let left = count;
  driver.poll = (source, timeoutMs) => {
    const isContext = 'numCompVectors' in source;
    return isContext && left > 0 ? Promise.resolve(['POLLIN']) : poll(source, timeoutMs);
  };
  driver.getAsyncEvent = (context) => {
    left -= 1;
    return left >= 0 ? Promise.resolve({ ...event }) : getAsyncEvent(context);
  };
  driver.ackAsyncEvent = (taken) => (taken.handle === event.handle ? Promise.resolve() : ackAsyncEvent(taken));
}

/** Lets every CQ hold one CQE more than it says, as providers with a hidden entry do. */
function hideAnEntry(driver: Driver): void {
  const createCq = driver.createCq.bind(driver);
  driver.createCq = async (...args) => {
    const cq = await createCq(...args);
    return Object.assign(cq, { cqe: cq.cqe - 1 });
  };
}

/** Lets no CQ have more entries than that, and says so. */
function limitEntries(driver: Driver, maxCqe: number): void {
  const createCq = driver.createCq.bind(driver);
  const queryDevice = driver.queryDevice.bind(driver);
  driver.createCq = (context, cqe, ...others) =>
    cqe > maxCqe ? refuse('ibv_create_cq', 'EINVAL')() : createCq(context, cqe, ...others);
  driver.queryDevice = async (context) => ({ ...(await queryDevice(context)), maxCqe });
}

/**
 * Makes CQs so large that messages which overrun them are more than the work requests that it lets a QP have.
 *
 * @param had - takes what QPs have
 */
function limitWorkRequests(driver: Driver, maxWr: number, had: Set<number>): void {
  const createCq = driver.createCq.bind(driver);
  const createQp = driver.createQp.bind(driver);
  driver.createCq = (context, cqe, ...others) => createCq(context, Math.max(cqe, maxWr), ...others);
  driver.createQp = (pd, init) => {
    if (init.cap.maxSendWr > maxWr) return refuse('ibv_create_qp', 'EINVAL')();
    had.add(init.cap.maxSendWr);
    return createQp(pd, init);
  };
}

/** Virtual time passes without a turn of the event loop, so no wait of a millisecond on it survives so many. */
async function longerThanAnyWait(): Promise<void> {
  for (let turns = 0; turns < 1000; turns++) await new Promise((resolve) => setImmediate(resolve));
}

describe('the harness around a scenario', () => {
  const rule = 'ibv_req_notify_cq.zero-recv-success';

  it('reports a missing capability, and skips nothing else', async () => {
    const having = (part: Partial<Dut>) => (driver: Driver) => {
      Object.defineProperty(driver, 'dut', { value: { ...driver.dut, ...part } });
    };
    const skipped = ['not-applicable'];
    const bare = await outcome(fixture('needs'), having({ capabilities: ['atomics'] }));
    assert.deepEqual(bare, { verdicts: [...skipped, 'pass'], detail: 'the device lacks srq' });
    const old = await outcome(fixture('needs'), having({ capabilities: ['srq'], rdmaCore: '64.0' }));
    assert.deepEqual(old.verdicts, ['pass', ...skipped]);
    const able = await outcome(fixture('needs'), having({ capabilities: ['srq'], rdmaCore: '65.1' }));
    assert.deepEqual(able.verdicts, ['pass', 'pass']);
  });

  it('is broken by a scenario that names a memory window otherwise than it was bound', async () => {
    const driver = await createDriver({ progress: () => undefined });
    const scenarios = await judgedScenarios(driver, [join(__dirname, 'fixtures', 'strange-windows.feature')]);
    assert.deepEqual(
      scenarios.map(({ verdict }) => verdict),
      ['broken', 'broken', 'broken'],
    );
    const details = scenarios.map(({ detail }) => detail ?? '');
    assert.match(details[0] ?? '', /"as bound" is not an R_Key of a memory window/);
    assert.match(details[1] ?? '', /there is no memory window "target".*known: "window"/);
    assert.match(details[2] ?? '', /there is no memory window "no window".*known: "window"/);
  });

  it('takes a complaint of the kernel for a panic', async () => {
    const logs = ['boot: BUG: before the scenario', '[ 12.3] WARNING: CPU: 0 PID: 7 at rxe_cq.c:1'];
    const { verdicts, detail } = await outcome(rule, (driver) => {
      driver.kernelLog = () => logs.shift() ?? '';
    });
    assert.deepEqual(verdicts, ['panic']);
    assert.match(detail, /WARNING: CPU: 0/);
  });

  it('counts complaints of RDMA alone where others use the kernel too', async () => {
    const complaint = 'WARNING: CPU: 0 PID: 7 at';
    const onShared = (log: string) => (driver: Driver) => {
      Object.defineProperty(driver, 'kernelModules', { value: ['vendor_nic'] });
      const logs = ['', log];
      driver.kernelLog = () => logs.shift() ?? '';
    };
    assert.deepEqual((await outcome(rule, onShared(`${complaint} fs/ext4/inode.c:1`))).verdicts, ['pass']);
    const own = await outcome(rule, onShared(`${complaint} x.c:1\n x+0x1/0x2 [vendor_nic]`));
    assert.deepEqual(own.verdicts, ['panic']);
  });

  it('does not try a scenario a third time that the kernel did not survive twice', async () => {
    const begun = async (death: (driver: Driver) => void): Promise<number> => {
      let count = 0;
      const spoil = (driver: Driver): void => {
        const begin = driver.begin.bind(driver);
        driver.begin = () => {
          count += 1;
          return begin();
        };
        death(driver);
      };
      const { verdicts, detail } = await outcome(rule, spoil, ['--retry', '4']);
      assert.deepEqual(verdicts, ['panic']);
      assert.match(detail, /the kernel of the (DUT|device)/);
      return count;
    };
    const inStep = await begun((driver) => {
      driver.reqNotifyCq = () => Promise.reject(new DutPanicked('the kernel of the DUT died'));
    });
    const atTheEnd = await begun((driver) => {
      driver.kernelLog = () => 'BUG: scheduling while atomic';
    });
    const atTheBeginning = await begun((driver) => {
      driver.kernelLog = () => {
        throw new DutPanicked('the kernel of the DUT died');
      };
    });
    assert.deepEqual([inStep, atTheEnd, atTheBeginning], [2, 2, 2]);
  });

  it('takes what a scenario leaves behind for broken, and for blocked what is refused in the clean-up', async () => {
    const left = await outcome(rule, (driver) => {
      driver.end = () => Promise.resolve(['cq#9']);
    });
    assert.deepEqual(left.verdicts, ['broken']);
    assert.match(left.detail, /left behind cq#9/);
    const refused = await outcome(rule, (driver) => {
      driver.destroyCompChannel = refuse('ibv_destroy_comp_channel', 'EBUSY');
    });
    assert.deepEqual(refused.verdicts, ['blocked']);
    assert.match(refused.detail, /^After hook "clean-up": ibv_destroy_comp_channel\(\) was refused: .*EBUSY$/);
  });

  for (const [what, verdict, detail, spoil] of [
    [
      'a refused clean-up',
      'fail',
      /; also After hook "clean-up": ibv_destroy_comp_channel\(\) was refused: .*EBUSY$/,
      refusedEnd,
    ],
    [
      'a hanging clean-up',
      'hang',
      /^After hook "clean-up": destroying a completion channel did not return .*; also Then/,
      hangingEnd,
    ],
    ['a leak', 'fail', /; also After hook "end": leak: the scenario left behind cq#9$/, leakAtTheEnd],
  ] as const) {
    it(`reports ${what} after a scenario that failed`, async () => {
      const found = await outcome(rule, (driver) => {
        driver.getCqEvent = refuse('ibv_get_cq_event', 'EINVAL');
        spoil(driver);
      });
      assert.deepEqual(found.verdicts, [verdict]);
      assert.match(found.detail, detail);
      assert.match(found.detail, /ibv_get_cq_event\(\) was refused/);
    });
  }

  it('does not report that a device which is gone lets nothing be tidied up', async () => {
    const { verdicts, detail } = await outcome(rule, (driver) => {
      driver.getCqEvent = () => Promise.reject(new DutCrashed('the host process died of SIGSEGV'));
      driver.destroyCompChannel = () => Promise.reject(new HarnessError('the host process was lost'));
      leakAtTheEnd(driver);
    });
    assert.deepEqual(verdicts, ['crash']);
    assert.match(detail, /SIGSEGV$/);
  });

  it('takes a refusal of what is given for blocked', async () => {
    const { verdicts, detail } = await outcome(rule, (driver) => {
      driver.regMr = refuse('ibv_reg_mr', 'ENOMEM');
    });
    assert.deepEqual(verdicts, ['blocked']);
    assert.match(detail, /ibv_reg_mr.*ENOMEM/);
  });

  it('reports a refusal in a call that no step has looked at', async () => {
    const { verdicts, detail } = await outcome(fixture('unseen-refusal'), () => undefined);
    assert.deepEqual(verdicts, ['blocked', 'fail']);
    assert.match(detail, /clean-up.*ibv_resize_cq\(\) was refused.*EINVAL/);
  });

  it('leaves a verb that may not block to the deadline of its driver, however long that is', async () => {
    const late = (resizeCq: Driver['resizeCq']) => (driver: Driver) => {
      Object.defineProperty(driver, 'limits', { value: { eventMs: 1, quietMs: 0 } });
      driver.resizeCq = resizeCq;
    };
    const hung = late(async () => {
      await longerThanAnyWait();
      throw new DutHung('ibv_resize_cq() did not return within 10 s');
    });
    const { verdicts, detail } = await outcome('ibv_resize_cq.returns-zero', hung);
    assert.deepEqual(new Set(verdicts), new Set(['hang']));
    assert.match(detail, /ibv_resize_cq\(\) did not return within 10 s/);
  });

  it('puts right at the end what a scenario that failed has changed', async () => {
    const told: string[] = [];
    const { verdicts } = await outcome(fixture('left-undone'), (driver) => {
      const endPoll = driver.endPoll.bind(driver);
      const setPortUp = driver.setPortUp.bind(driver);
      const limitOpenFiles = driver.limitOpenFiles.bind(driver);
      const end = driver.end.bind(driver);
      driver.endPoll = (cq) => {
        told.push('the batch is closed');
        return endPoll(cq);
      };
      driver.setPortUp = (up) => {
        told.push(`the port is taken ${up ? 'up' : 'down'}`);
        return setPortUp(up);
      };
      driver.limitOpenFiles = (most) => {
        told.push(most === null ? 'files can be opened' : 'files cannot be opened');
        return limitOpenFiles(most);
      };
      driver.end = async () => {
        const leftovers = await end();
        told.push(`left behind: ${leftovers.length}`);
        return leftovers;
      };
    });
    assert.deepEqual(verdicts, ['fail', 'fail', 'fail']);
    assert.deepEqual(told, [
      'the batch is closed',
      'left behind: 0',
      'the port is taken down',
      'the port is taken up',
      'left behind: 0',
      'files cannot be opened',
      'files can be opened',
      'left behind: 0',
    ]);
  });

  it('acknowledges exactly what was taken', async () => {
    const balance = new Map<string, number>();
    const add = (handle: string, count: number): void => void balance.set(handle, (balance.get(handle) ?? 0) + count);
    const { verdicts } = await outcome('ibv_get_cq_event.destroy-waits-for-acks', (driver) => {
      const getCqEvent = driver.getCqEvent.bind(driver);
      const ackCqEvents = driver.ackCqEvents.bind(driver);
      driver.getCqEvent = async (channel) => {
        const event = await getCqEvent(channel);
        add(event.cq.handle, 1);
        return event;
      };
      driver.ackCqEvents = (cq, nevents) => {
        add(cq.handle, -nevents);
        return ackCqEvents(cq, nevents);
      };
    });
    assert.deepEqual(verdicts, ['pass', 'pass', 'pass', 'pass', 'pass', 'pass', 'pass', 'pass']);
    assert.deepEqual([...new Set(balance.values())], [0]);
  });

  it('notices a CQE more than the work requests account for', async () => {
    const { verdicts, detail } = await outcome(rule, (driver) => {
      const pollCq = driver.pollCq.bind(driver);
      let again: readonly Wc[] = [];
      driver.pollCq = async (cq, numEntries) => {
        const completions = await pollCq(cq, numEntries);
        const given = completions.length > 0 ? completions : again;
        again = completions;
        return given;
      };
    });
    assert.deepEqual(verdicts, ['fail']);
    assert.match(
      detail,
      /CQEs of CQ "recv_cq" beyond those expected; expected \[\], observed \[\{ \.wr_id = 0x[0-9a-f]+, \.status/,
    );
  });

  it('ends on a CQ that never runs empty', async () => {
    const { verdicts, detail } = await outcome('ibv_poll_cq.overrun-cq-unusable', (driver) => {
      driver.pollCq = () => Promise.resolve([blankWc]);
    });
    assert.deepEqual(verdicts, ['blocked']);
    assert.match(detail, /each stands for a work request; expected \{atMost: \d+\}, observed \d+$/);
  });

  it('finds the overrun of a CQ with a hidden entry, and beside another event', async () => {
    const { verdicts } = await outcome('ibv_poll_cq.overrun-async-event', (driver) => {
      hideAnEntry(driver);
      addForeignEvents(driver, 2);
    });
    assert.deepEqual(verdicts, ['pass', 'pass']);
  });

  it('lets a device raise other asynchronous events, but not without end', async () => {
    const spoilWith = (count: number) => (driver: Driver) => {
      addForeignEvents(driver, count);
    };
    assert.deepEqual((await outcome('ibv_poll_cq.overrun-cq-unusable', spoilWith(1))).verdicts, ['pass']);
    const endless = await outcome('ibv_poll_cq.overrun-cq-unusable', spoilWith(Infinity));
    assert.deepEqual(endless.verdicts, ['blocked']);
    assert.match(endless.detail, /asynchronous events that were raised; expected \{atMost: 100\}, observed 101$/);
  });

  it('makes do with the entries that a device lets it have', async () => {
    const { verdicts } = await outcome('ibv_poll_cq.up-to-num-entries', (driver) => {
      limitEntries(driver, 127);
    });
    assert.deepEqual(new Set(verdicts), new Set(['pass']));
  });

  for (const maxWr of [4144, 2112, 1024]) {
    it(`makes do with the ${maxWr} work requests that a device lets it have, and asks for no fewer`, async () => {
      const had = new Set<number>();
      const { verdicts } = await outcome('ibv_poll_cq.up-to-num-entries', (driver) => {
        limitWorkRequests(driver, maxWr, had);
      });
      assert.deepEqual(new Set(verdicts), new Set(['pass']));
      assert.deepEqual([...had], [maxWr]);
    });
  }

  it('lets a get pass over events from outside, but not without end', async () => {
    const fromOutside: AsyncEvent = { ...foreignEvent, eventType: 'IBV_EVENT_GID_CHANGE' };
    const spoilWith = (count: number) => (driver: Driver) => {
      addForeignEvents(driver, count, fromOutside);
    };
    const rule = 'ibv_get_async_event.get-returns-zero';
    assert.deepEqual(new Set((await outcome(rule, spoilWith(20))).verdicts), new Set(['pass']));
    const endless = await outcome(rule, spoilWith(Infinity));
    assert.deepEqual(new Set(endless.verdicts), new Set(['fail']));
    assert.match(endless.detail, /asynchronous events that were raised; expected \{atMost: 100\}, observed 101$/);
  });

  it('does not take events from outside without end where other objects are used', async () => {
    const fromOutside: AsyncEvent = { ...foreignEvent, eventType: 'IBV_EVENT_GID_CHANGE', element: 1 };
    const spoil = (driver: Driver): void => {
      addForeignEvents(driver, Infinity, fromOutside);
    };
    for (const others of ['other SRQs', 'other contexts']) {
      const name = ['--name', `^An event that waits is taken once, also after the use of ${others}$`];
      const { verdicts, detail } = await outcome('ibv_get_async_event.waits-next', spoil, name);
      assert.deepEqual(verdicts, ['fail']);
      assert.match(detail, /asynchronous events that were raised; expected \{atMost: 100\}, observed 101$/);
    }
  });
});

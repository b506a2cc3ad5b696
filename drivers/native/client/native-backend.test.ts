import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DutCrashed, DutHung, DutLost, DutPanicked, HarnessError, UsageError } from '../../contract';
import type { Carrier, HostProcess } from '../carriers/carrier';
import { NativeBackend, type NativeOptions } from './native-backend';
import { LocalCarrier } from '../carriers/local-carrier';
import { like } from '../fixtures/like';

/** Deadlines of two seconds for ordinary verbs. */
const slowness = 0.2;

const never = new Promise<never>(() => undefined);

const fakeHost = resolve(__dirname, '..', 'fixtures', 'fake-host.js');

/** Counts the hosts that were started, and can claim that their kernel died, or that something does not end. */
class SpyCarrier implements Carrier {
  readonly processes: HostProcess[] = [];
  readonly sessions: number[] = [];
  panic: string | undefined;
  lost: string | undefined;
  outage: string | undefined;
  spoilt = false;
  stuck: 'host' | 'carrier' | undefined;
  closed = false;
  virtualTime = false;
  holds = 0;
  /** Share of the time for which the machine of the host cannot run. */
  starved = 0;
  readonly #carrier = new LocalCarrier({ nodeArgs: [fakeHost] });

  async start(session: number): Promise<HostProcess> {
    const process = await this.#carrier.start(session);
    const { panic, lost, outage } = this;
    this.spoilt = false;
    const why = {
      ...(panic !== undefined && { panic }),
      ...(lost !== undefined && { lost }),
      ...(outage !== undefined && { outage }),
    };
    const truth = process.ended.then((exit) => ({ ...exit, ...why }));
    const ended = this.stuck === 'host' ? never : truth;
    this.processes.push(process);
    this.sessions.push(session);
    return {
      input: process.input,
      output: process.output,
      ended,
      kill: () => {
        process.kill();
      },
      hold: () => {
        this.holds++;
      },
      threads: () => process.threads?.() ?? Promise.resolve(''),
      starvation: () => {
        const begunMs = performance.now();
        return () => (performance.now() - begunMs) * this.starved;
      },
    };
  }

  needsFreshKernel(): boolean {
    return this.spoilt;
  }

  distrustKernel(): void {
    this.spoilt = true;
  }

  kernelLog(): string {
    return '';
  }

  async close(): Promise<void> {
    await this.#carrier.close();
    this.closed = true;
    if (this.stuck === 'carrier') await never;
  }
}

/** Owns the link, and writes down what is done to it. */
class LinkCarrier extends SpyCarrier {
  readonly links: string[] = [];

  setPortUp(up: boolean): Promise<void> {
    this.links.push(up ? 'up' : 'down');
    return Promise.resolve();
  }

  override start(session: number): Promise<HostProcess> {
    assert.notEqual(this.links.at(-1), 'down', 'no host can start on a port that is down');
    return super.start(session);
  }
}

const open: NativeBackend[] = [];

async function start(carrier: Carrier, options: Partial<NativeOptions> = {}): Promise<NativeBackend> {
  const limits = { eventMs: 10, quietMs: 10 };
  const backend = await NativeBackend.start(carrier, {
    device: 'fake0',
    portNum: 1,
    gidIndex: 0,
    limits,
    slowness,
    ...options,
  });
  open.push(backend);
  await backend.begin();
  return backend;
}

afterEach(async () => {
  for (const backend of open.splice(0)) await backend.close();
});

/** Whether a process is there; one that has ended and that nobody has waited for has no command line. */
function isRunning(pid: string): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'utf8') !== '';
}

/** Whether a process that was killed is gone, which takes the kernel a moment. */
async function isGone(pid: string): Promise<boolean> {
  for (let looks = 0; isRunning(pid) && looks < 200; looks++) await delay(10);
  return !isRunning(pid);
}

const lostEarlier = like(HarnessError, /was lost earlier in this scenario/);

describe('answers', () => {
  it('describe the device', async () => {
    assert.equal((await start(new SpyCarrier())).dut.hcaId, 'fake0');
  });

  it('describe the device with texts that look like 64-bit values', async () => {
    const { dut } = await start(new SpyCarrier(), { device: 'hexadecimal' });
    assert.deepEqual([dut.fwVer, dut.port.netdev], ['0x1f', '0x0']);
  });

  it('carry 64-bit values both ways', async () => {
    const backend = await start(new SpyCarrier());
    const { outputs } = await backend.call('ibv_reg_mr', { word: 0xffff_ffff_ffff_ffffn });
    assert.deepEqual(outputs, { addr: 0xffff_ffff_ffff_fff0n, echo: { word: 0xffff_ffff_ffff_ffffn } });
  });

  it('of an earlier host are ignored', async () => {
    const backend = await start(new SpyCarrier());
    assert.equal((await backend.call('ibv_ack_cq_events', {})).returned, null);
    assert.equal((await backend.call('ibv_close_device', {})).returned, 0);
  });

  it('that refuse a request are failures of the harness', async () => {
    const backend = await start(new SpyCarrier());
    await assert.rejects(backend.call('ibv_dealloc_pd', {}), like(HarnessError, /ibv_dealloc_pd: pd#1 was destroyed/));
    await backend.call('ibv_close_device', {});
  });

  it('of the wrong shape are quoted', async () => {
    const backend = await start(new SpyCarrier());
    await assert.rejects(
      backend.call('ibv_create_cq', {}),
      like(HarnessError, /ibv_create_cq/, /\{"returned":"cq#1"\}/),
    );
  });

  for (const [what, verb, quoted] of [
    ['are not JSON', 'ibv_create_qp', /a print of the provider/],
    ['are nested without end', 'ibv_dereg_mr', /\[\[\[\[/],
    ['nobody asked for', 'ibv_modify_qp', /"id":"1:999"/],
  ] as const) {
    it(`that ${what} end the conversation`, async () => {
      const backend = await start(new SpyCarrier());
      const waiting = assert.rejects(backend.call('ibv_get_cq_event', {}), like(HarnessError, quoted));
      await assert.rejects(backend.call(verb, {}), like(HarnessError, quoted));
      await waiting;
    });
  }
});

describe('a missed deadline', () => {
  it('is a hang that names the call, and kills the host', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    const call = backend.call('ibv_poll_cq', { cq: 'cq#1', numEntries: 4 });
    await assert.rejects(
      call,
      like(
        DutHung,
        /ibv_poll_cq\(\{ cq: 'cq#1', numEntries: 4 \}\) did not return within 2 s; in the host: main thread: state [A-Z]/,
      ),
    );
    assert.equal((await carrier.processes[0]?.ended)?.signal, 'SIGKILL');
  });

  it('takes the other pending calls with it', async () => {
    const backend = await start(new SpyCarrier());
    const hung = like(DutHung, /ibv_poll_cq/, /also in flight: ibv_get_cq_event/);
    const other = assert.rejects(backend.call('ibv_get_cq_event', {}), hung);
    await assert.rejects(backend.call('ibv_poll_cq', {}), hung);
    await other;
  });

  it('is longer for a verb that waits', async () => {
    const backend = await start(new SpyCarrier(), { slowness });
    await assert.rejects(backend.call('ibv_get_cq_event', {}), like(DutHung, /within 6 s/));
  });
});

describe('calls in turn', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;

  it('are overdue from when their turn has come', async () => {
    const backend = await start(new SpyCarrier());
    const hung = like(DutHung, /^ibv_get_cq_event\(\{\}\) did not return within 6 s; in the host/);
    const first = assert.rejects(backend.call('ibv_get_cq_event', {}, true), hung);
    const next = assert.rejects(backend.call('ibv_poll_cq', {}, true), hung);
    await Promise.all([first, next]);
  });

  it('are overdue too when those before them are answered', { timeout: 30_000 }, async () => {
    const backend = await start(new SpyCarrier());
    const first = backend.call('ibv_close_device', {}, true);
    const next = assert.rejects(backend.call('ibv_get_cq_event', {}, true), like(DutHung, /^ibv_get_cq_event/));
    await first;
    await next;
  });

  it('are none of a crash before their turn', async () => {
    const backend = await start(new SpyCarrier());
    const crash = (error: unknown): boolean => {
      like(DutCrashed, /died of SIGSEGV in ibv_post_send\(\{ qp: 'qp#1' \}\)/)(error);
      assert.doesNotMatch((error as Error).message, /ibv_get_cq_event/);
      return true;
    };
    const first = assert.rejects(backend.call('ibv_post_send', { qp: 'qp#1' }, true), crash);
    await assert.rejects(backend.call('ibv_get_cq_event', {}, true), crash);
    await first;
  });

  it('leave no timer behind where a host answers them in another order', async () => {
    const backend = await start(new SpyCarrier());
    const before = timers();
    const slow = backend.call('ibv_destroy_cq', {}, true);
    await backend.call('ibv_close_device', {}, true);
    await slow;
    assert.equal(timers(), before);
  });
});

describe('the end of a host', () => {
  it('by a signal is a crash that names the calls in flight', async () => {
    const backend = await start(new SpyCarrier());
    const crash = like(DutCrashed, /died of SIGSEGV/, /ibv_post_send\(\{ qp: 'qp#1' \}\)/, /ibv_get_cq_event/);
    const other = assert.rejects(backend.call('ibv_get_cq_event', {}), crash);
    await assert.rejects(backend.call('ibv_post_send', { qp: 'qp#1' }), crash);
    await other;
  });

  it('shows exit code and the last of stderr', async () => {
    const backend = await start(new SpyCarrier());
    await assert.rejects(backend.call('ibv_alloc_pd', {}), (error: Error) => {
      like(DutCrashed, /exit code 3/, /complaint 60\n/, /complaint 99$/)(error);
      assert.doesNotMatch(error.message, /complaint 59\n/);
      return true;
    });
  });

  it('with the way to it is the loss of the device', async () => {
    const carrier = new SpyCarrier();
    carrier.lost = 'the connection to there ended';
    const backend = await start(carrier);
    const call = backend.call('ibv_post_send', { qp: 'qp#1' });
    await assert.rejects(call, like(DutLost, /^the connection to there ended in ibv_post_send\(/));
  });

  it('with its place is not a fault of the device', async () => {
    const carrier = new SpyCarrier();
    carrier.outage = 'the VM was ended by SIGKILL';
    const backend = await start(carrier);
    const call = backend.call('ibv_post_send', { qp: 'qp#1' });
    await assert.rejects(call, like(HarnessError, /^the VM was ended by SIGKILL in ibv_post_send\(/));
  });

  it('that does not come is the loss of the device', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    carrier.stuck = 'host';
    await backend.call('ibv_open_device', {});
    await backend.end();
    await backend.begin();
    await assert.rejects(backend.call('ibv_poll_cq', {}), DutHung);
    await backend.end();
    await assert.rejects(backend.begin(), like(DutLost, /does not end though it was killed; see `dmesg`/));
    open.splice(0);
    await assert.rejects(backend.close(), DutLost);
  });

  it('with its kernel is a panic', async () => {
    const carrier = new SpyCarrier();
    carrier.panic = 'Kernel panic - not syncing';
    const backend = await start(carrier);
    await assert.rejects(backend.call('ibv_post_send', {}), like(DutPanicked, /ibv_post_send/, /not syncing/));
  });

  it('between calls is reported by the next call, once', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    await backend.call('ibv_destroy_qp', {});
    await carrier.processes[0]?.ended;
    await backend.pause(20);
    await assert.rejects(backend.call('ibv_close_device', {}), like(DutCrashed, /SIGSEGV after ibv_destroy_qp/));
    await assert.rejects(backend.call('ibv_close_device', {}), lostEarlier);
    assert.deepEqual(await backend.end(), []);
  });

  it('after the last call is reported at the end of the scenario', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    await backend.call('ibv_destroy_qp', {});
    await carrier.processes[0]?.ended;
    await backend.pause(20);
    await assert.rejects(backend.end(), like(DutCrashed, /SIGSEGV after ibv_destroy_qp/));
    await backend.begin();
    assert.deepEqual(await backend.end(), []);
  });

  it('fails later calls of the scenario at once, and the next scenario has a new host', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    await assert.rejects(backend.call('ibv_post_send', {}), DutCrashed);
    await assert.rejects(backend.call('ibv_open_device', {}), lostEarlier);
    assert.deepEqual(await backend.end(), []);
    await backend.begin();
    assert.equal((await backend.call('ibv_open_device', {})).returned, 'context#1');
    assert.deepEqual(carrier.sessions, [1, 2]);
    assert.equal(backend.dut.kernel, 'session 2');
  });
});

describe('a process that the host has started', () => {
  it('ends with the host', async () => {
    const backend = await start(new SpyCarrier(), { device: 'forking' });
    const pid = backend.dut.provider;
    assert.equal(isRunning(pid), true);
    await assert.rejects(backend.call('ibv_post_send', {}), like(DutCrashed, /SIGSEGV/));
    assert.equal(await isGone(pid), true);
  });

  it('ends with the driver', async () => {
    const backend = await start(new SpyCarrier(), { device: 'forking' });
    await backend.close();
    assert.equal(await isGone(backend.dut.provider), true);
  });

  it('out of its group does not hide the end of the host', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier, { device: 'daemon', slowness: 1 });
    const daemon = backend.dut.provider;
    try {
      await assert.rejects(backend.call('ibv_post_send', {}), like(DutCrashed, /SIGSEGV/));
      await backend.close();
      assert.equal(isRunning(daemon), true);
    } finally {
      process.kill(Number(daemon), 'SIGKILL');
    }
  });
});

describe('a scenario', () => {
  it('that leaves nothing behind keeps its host', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    await backend.call('ibv_open_device', {});
    await backend.call('ibv_close_device', {});
    assert.deepEqual(await backend.end(), []);
    await backend.begin();
    assert.deepEqual(carrier.sessions, [1]);
  });

  it('that leaves objects behind does not leave them to the next one', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    await backend.call('ibv_open_device', {});
    assert.deepEqual(await backend.end(), ['context#1']);
    assert.equal((await carrier.processes[0]?.ended)?.signal, 'SIGKILL');
    await backend.begin();
    assert.equal((await backend.call('ibv_open_device', {})).returned, 'context#1');
    assert.deepEqual(carrier.sessions, [1, 2]);
  });

  it('that leaves files or objects of the kernel behind is reported so, and they are gone with its host', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier, { ownsDevice: true });
    await backend.call('ibv_create_srq', {});
    await backend.call('ibv_modify_srq', {});
    assert.deepEqual(await backend.end(), ['an open /dev/infiniband/uverbs0', '2 srq in the kernel']);
    await backend.begin();
    assert.deepEqual(await backend.end(), []);
    assert.deepEqual(carrier.sessions, [1, 2]);
  });

  it('is not blamed for what others do on a device that is not its own', async () => {
    const backend = await start(new SpyCarrier());
    await backend.call('ibv_modify_srq', {});
    assert.deepEqual(await backend.end(), []);
  });

  it('is not blamed for objects that the kernel lets go of a little later', async () => {
    const backend = await start(new SpyCarrier(), { ownsDevice: true });
    await backend.call('ibv_destroy_comp_channel', {});
    assert.deepEqual(await backend.end(), []);
  });

  it('in which the kernel gets a taint is a panic, and the next one has a fresh kernel', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    await backend.call('ibv_modify_cq', {});
    await assert.rejects(backend.end(), like(DutPanicked, /tainted: 512 after the scenario, 0 before it/));
    await backend.begin();
    assert.deepEqual(await backend.end(), []);
    assert.deepEqual(carrier.sessions, [1, 2]);
  });

  it('that leaves a call behind has it rejected', async () => {
    const backend = await start(new SpyCarrier());
    const ended = like(HarnessError, /the scenario ended while this call was pending/);
    const call = assert.rejects(backend.call('ibv_get_cq_event', {}), ended);
    assert.deepEqual(await backend.end(), []);
    await call;
    await backend.begin();
    assert.equal((await backend.call('ibv_open_device', {})).returned, 'context#1');
  });
});

describe('a start', () => {
  it('without such a device is wrong usage', async () => {
    await assert.rejects(start(new SpyCarrier(), { device: 'missing0' }), like(UsageError, /"missing0"; choose one/));
  });

  it('of a host that gives up reports what it said', async () => {
    await assert.rejects(
      start(new SpyCarrier(), { device: 'exit' }),
      like(HarnessError, /exit code 3/, /no addon here/),
    );
  });

  it('in which the provider crashes is a crash', async () => {
    await assert.rejects(start(new SpyCarrier(), { device: 'segfault' }), like(DutCrashed, /SIGSEGV after hello/));
  });
});

describe('close', () => {
  it('rejects what is pending, leaves no process, and is safe to call twice', async () => {
    const carrier = new SpyCarrier();
    const backend = await start(carrier);
    const call = assert.rejects(backend.call('ibv_get_cq_event', {}), like(HarnessError, /driver was closed/));
    await Promise.all([backend.close(), backend.close()]);
    await call;
    assert.equal((await carrier.processes[0]?.ended)?.signal, 'SIGKILL');
    await assert.rejects(backend.call('ibv_open_device', {}), like(HarnessError, /driver was closed/));
    await assert.rejects(backend.begin(), like(HarnessError, /driver was closed/));
  });

  for (const [stuck, message] of [
    ['host', /does not end though it was killed/],
    ['carrier', /was not closed within 4 s/],
  ] as const) {
    it(`does not wait for ever for a ${stuck} that does not end, and closes all else`, async () => {
      const carrier = new SpyCarrier();
      carrier.stuck = stuck;
      const backend = await start(carrier);
      open.splice(0);
      await assert.rejects(backend.close(), like(stuck === 'host' ? DutLost : HarnessError, message));
      assert.equal(carrier.closed, true);
    });
  }

  it('does not hide why a start failed', async () => {
    const carrier = new SpyCarrier();
    carrier.stuck = 'carrier';
    await assert.rejects(start(carrier, { device: 'missing0' }), like(UsageError, /"missing0"; choose one/));
  });
});

describe('the port', () => {
  it('can be taken down where the carrier owns its link', async () => {
    const carrier = new LinkCarrier();
    const backend = await start(carrier);
    assert.deepEqual(backend.dut.capabilities, ['port-control']);
    await backend.setPortUp(false);
    await backend.setPortUp(true);
    await backend.end();
    assert.deepEqual(carrier.links, ['down', 'up']);
  });

  it('of a device that is not of our making is left alone', async () => {
    const backend = await start(new SpyCarrier());
    assert.deepEqual(backend.dut.capabilities, []);
    await assert.rejects(backend.setPortUp(false), like(HarnessError, /the link of fake0 is not of this run's making/));
  });

  it('comes up at the end of a scenario that has left it down, whatever became of the host', async () => {
    const carrier = new LinkCarrier();
    const backend = await start(carrier);
    await backend.setPortUp(false);
    carrier.processes[0]?.kill();
    await assert.rejects(backend.call('ibv_get_cq_event', {}), DutCrashed);
    await backend.end();
    assert.deepEqual(carrier.links, ['down', 'up']);
    await backend.begin();
    assert.deepEqual(carrier.sessions, [1, 2]);
  });

  it('comes up before a scenario that follows one without an end', async () => {
    const carrier = new LinkCarrier();
    const backend = await start(carrier);
    await backend.setPortUp(false);
    await backend.begin();
    assert.deepEqual(carrier.links, ['down', 'up']);
  });
});

describe('a quiet window on the clock of this process', () => {
  async function windowMs(starved: number): Promise<number> {
    const carrier = new SpyCarrier();
    const backend = await start(carrier, { limits: { eventMs: 10, quietMs: 40 } });
    carrier.starved = starved;
    const begunMs = performance.now();
    await backend.settle();
    return performance.now() - begunMs;
  }

  it('holds as much time in which the machine of the host could run', async () => {
    const ms = await windowMs(0.75);
    assert.ok(ms >= 4 * 39, `${ms} ms`);
  });

  it('ends where the machine of the host can hardly run', async () => {
    const ms = await windowMs(1);
    assert.ok(ms >= 10 * 39, `${ms} ms`);
  });
});

describe('waits on the clock of the host', () => {
  /** A backend whose host has reported the time once. */
  async function startOnItsClock(carrier = new SpyCarrier()): Promise<NativeBackend> {
    carrier.virtualTime = true;
    const backend = await start(carrier);
    await backend.pause(1);
    return backend;
  }

  it('last as long as the host says', async () => {
    const backend = await startOnItsClock();
    const before = backend.nowMs();
    await backend.pause(3_600_000);
    await backend.settle();
    assert.equal(backend.nowMs() - before, 3_600_000 + 10);
  });

  it('are no calls that a scenario leaves behind', async () => {
    const carrier = new SpyCarrier();
    const backend = await startOnItsClock(carrier);
    void backend.pause(1000);
    assert.deepEqual(await backend.end(), []);
    await backend.begin();
    assert.equal(carrier.processes.length, 1);
  });

  it('end with the host', async () => {
    const backend = await startOnItsClock();
    await backend.call('ibv_destroy_qp', {});
    const dies = async (): Promise<void> => {
      for (;;) await backend.settle();
    };
    await assert.rejects(dies(), like(DutCrashed, /SIGSEGV/));
  });

  it('halt its machine where no request is under way, and not before', async () => {
    const carrier = new SpyCarrier();
    const backend = await startOnItsClock(carrier);
    await new Promise(setImmediate);
    const before = carrier.holds;
    void backend.call('ibv_get_cq_event', {}).catch(() => undefined);
    await backend.call('ibv_close_device', {});
    await new Promise(setImmediate);
    assert.equal(carrier.holds, before);
    assert.ok(before > 0);
  });

  it('go on while the link of the port moves', async () => {
    const carrier = new LinkCarrier();
    const backend = await startOnItsClock(carrier);
    await backend.setPortUp(false);
    await backend.setPortUp(true);
    assert.deepEqual(carrier.links, ['down', 'up']);
  });

  it('are short while the link of the port moves: word of it comes on another way, and time may overtake it', async () => {
    const limits = { eventMs: 5000, quietMs: 10 };
    let before = Infinity;
    class LateLink extends LinkCarrier {
      override async setPortUp(up: boolean): Promise<void> {
        before = backend.nowMs();
        await super.setPortUp(up);
        while (backend.nowMs() === before) await new Promise(setImmediate);
      }
    }
    const carrier = new LateLink();
    carrier.virtualTime = true;
    const backend = await start(carrier, { limits });
    await backend.pause(1);
    await backend.setPortUp(false);
    assert.ok(backend.nowMs() - before < 100, `${backend.nowMs() - before} ms went by`);
    await backend.setPortUp(true);
  });
});

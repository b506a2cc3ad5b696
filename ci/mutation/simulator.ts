import { Before } from '@cucumber/cucumber';
import { HarnessError, type Driver } from '../../drivers/contract';
import { createDriver } from '../../drivers/sim';
import { provideDriver } from '../../steps/world/dut';

/** A mutant that makes a call hang is reported after this part of the simulator's patience: a second of real time. */
const patience = 1 / 5;

const { setTimeout } = globalThis;
globalThis.setTimeout = Object.assign((run: () => void, ms = 0) => setTimeout(run, ms * patience), setTimeout);

let simulator: Driver | undefined;

/**
 * Each scenario makes its own simulator, so that also what its constructors do counts as covered by the scenario, and finds
 * it as if another one had been there before.
 */
Before(async () => {
  simulator = await createDriver({ progress: () => undefined });
  await simulator.openDevice(simulator.dut.hcaId);
});

/** The steps take hold of the driver before the scenario begins. */
provideDriver(
  new Proxy<Driver>({} as Driver, {
    get(_target, name) {
      if (simulator === undefined) throw new HarnessError('no scenario has begun');
      const member: unknown = Reflect.get(simulator, name);
      return typeof member === 'function' ? (member.bind(simulator) as unknown) : member;
    },
  }),
);

import { AfterStep, type ITestStepHookParameter } from '@cucumber/cucumber';
import { mediaTypes, type Handle, type TraceLegend } from '../../drivers/contract';
import type { VerbsWorld } from './world';

interface Noted {
  readonly names: Map<Handle, string>;
  readonly steps: number[];
}

const noted = new WeakMap<object, Noted>();

/** The next step begins where one ends. */
AfterStep(function (this: VerbsWorld, { pickle, pickleStep }: ITestStepHookParameter) {
  const { steps } = noteNames(this);
  steps[pickle.steps.findIndex(({ id }) => id === pickleStep.id) + 1] = this.driver.trace().length;
});

/** Attaches what the trace of a scenario does not say of itself. */
export function attachLegend(world: VerbsWorld): void {
  const { names, steps } = noteNames(world);
  const legend: TraceLegend = { names: Object.fromEntries(names), steps };
  world.attach(JSON.stringify(legend), { mediaType: mediaTypes.traceLegend, fileName: 'trace-legend.json' });
}

/** Each object keeps the name that it had, also when the name has gone to another. */
function noteNames(world: VerbsWorld): Noted {
  const known = noted.get(world) ?? { names: new Map<Handle, string>(), steps: [0] };
  noted.set(world, known);
  const { channels, cqs, srqs, memories, qps, windows } = world;
  for (const objects of [channels, cqs, srqs, memories])
    for (const [name, { handle }] of objects.entries()) known.names.set(handle, name);
  for (const [name, { qp }] of qps.entries()) known.names.set(qp.handle, name);
  for (const [name, { mw }] of windows.entries()) known.names.set(mw.handle, name);
  return known;
}

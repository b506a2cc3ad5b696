import { featurePaths } from '../../cli/inputs/features';
import { placeOf, runSound, runWhole, type RecordedScenario } from '../../cli/prove/prove-job';
import { divergence } from '../../drivers/sim/faults/replay';
import type { SystematicFault } from '../../drivers/sim/faults/systematic/systematic-fault';
import { keysByPlace } from '../../reports/diagnosis/dictionary';
import { failureOf, type Failure } from '../../reports/diagnosis/failures';
import { differingIn } from '../../reports/diagnosis/members/differing';
import { shortHash } from '../../reports/diagnosis/scenario-keys';
import type { Shown } from './states/learn-states';

/** Runs the features under systematic faults. */
export class FaultyRuns {
  readonly #keys: ReadonlyMap<string, string>;

  private constructor(readonly sound: readonly RecordedScenario[]) {
    this.#keys = keysByPlace(sound);
  }

  static async begin(): Promise<FaultyRuns> {
    return new FaultyRuns(await runSound(featurePaths(), () => undefined));
  }

  /** What a fault shows. */
  async under(fault: SystematicFault): Promise<Shown> {
    const failures = [...(await this.#failuresUnder(fault))];
    return {
      piece: fault.piece,
      failed: new Map(failures.map(([key, { signature }]) => [key, shortHash(signature)])),
      differing: new Map(failures.map(([key, { finding }]) => [key, differingIn(finding.comparison)])),
    };
  }

  /** A scenario that gets the same answers as without the fault passes as it did. */
  async #failuresUnder(fault: SystematicFault): Promise<ReadonlyMap<string, Failure>> {
    const parts = fault.parts(() => undefined);
    const astray: RecordedScenario[] = [];
    for (const one of this.sound) {
      if (fault.verb !== undefined && !one.touches.includes(fault.verb)) continue;
      if ((await divergence(parts, one.history)) !== undefined) astray.push(one);
    }
    if (astray.length === 0) return new Map();
    const run = await runWhole(parts, astray, () => undefined);
    return new Map(
      run.flatMap((scenario): [string, Failure][] => {
        const failure = failureOf(scenario);
        const key = this.#keys.get(placeOf(scenario.recorded));
        return failure === undefined || key === undefined ? [] : [[key, failure]];
      }),
    );
  }
}

import { HarnessError } from '../../drivers/contract';

/** How often a scenario may kill the kernel; whoever lets Cucumber retry would boot for ever otherwise. */
const deathsMax = 2;

/** Counts the attempts of each scenario that the kernel did not survive. */
export class KernelDeaths {
  readonly #deaths = new Map<string, number>();

  /** @param scenario - what is the same in all attempts */
  count(scenario: string): void {
    this.#deaths.set(scenario, this.of(scenario) + 1);
  }

  /** @throws HarnessError if the scenario has been tried often enough */
  refuseFurther(scenario: string): void {
    if (this.of(scenario) < deathsMax) return;
    throw new HarnessError(`not tried again: the kernel of the device died in ${deathsMax} attempts`);
  }

  of(scenario: string): number {
    return this.#deaths.get(scenario) ?? 0;
  }
}

import { DutHung, type DriverOptions, type Dut, type Handle, type TraceStruct } from '../contract';
import type { RawResult } from './backend';
import type { VerbName } from './conventions';
import { checkedMtu, refuseOptions } from './refuse-options';
import { later } from './turns';
import { VerbsDriver } from './verbs-driver';

/** Real milliseconds until a call counts as hung that waits for what the scenario will not do. */
const hangMs = 5000;

/** A driver whose verbs are executed in this process, where only the driver can find that a call never returns. */
export class InProcessDriver extends VerbsDriver {
  readonly #forgets = new Set<() => void>();

  protected override call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      const forget = this.whenHung((waited) => {
        reject(new DutHung(`${verb}() waited ${waited} for what did not come`));
      });
      this.#forgets.add(forget);
      super
        .call(verb, args)
        .finally(() => {
          forget();
          this.#forgets.delete(forget);
        })
        .then(resolve, reject);
    });
  }

  /** Calls that still wait are left alone: they wait for what ends with the scenario. */
  override end(): Promise<readonly Handle[]> {
    for (const forget of this.#forgets) forget();
    this.#forgets.clear();
    return super.end();
  }

  /**
   * Tells when a call counts as hung, and how long it has waited then.
   *
   * @returns what to call when the call has returned
   */
  protected whenHung(tell: (waited: string) => void): () => void {
    return later(hangMs, () => {
      tell(`${hangMs} ms`);
    });
  }
}

/**
 * The path MTU that the user asks for, who can choose neither the device of such a driver nor where it runs.
 *
 * @throws UsageError
 */
export function checkedOptions(dut: Dut, options: DriverOptions): number | undefined {
  const { provider, hcaId, port } = dut;
  refuseOptions(provider, options, {
    ibDev: hcaId,
    ibPort: port.portNum,
    gidIndex: port.gidIndex,
    kernel: null,
    module: null,
    rdmaCore: null,
    vmTime: null,
    host: null,
  });
  return checkedMtu(dut, options.mtu);
}

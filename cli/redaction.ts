import { hostname } from 'node:os';
import type { Envelope } from '@cucumber/messages';
import { UsageError, type Driver } from '../drivers/contract';
import { redactDut, redactEnvelope } from '../reports/redaction/redact-run';
import { Redactor } from '../reports/redaction/redactor';
import type { RunInfo } from '../reports/verdicts';

/** What a run shows of itself: all of it, or, with `--redact`, no GUID, no address and no name of a machine. */
export interface Disclosure {
  message(envelope: Envelope): Envelope;
  info(info: RunInfo): RunInfo;
  text(text: string): string;
}

const everything: Disclosure = {
  message: (envelope) => envelope,
  info: (info) => info,
  text: (text) => text,
};

/** What the user asks for with `--redact`, and of which machine with `--host`. */
export interface DisclosureOptions {
  readonly redact?: boolean;
  readonly host?: string;
}

export function disclosureOf(driver: Driver, { redact = false, host = '' }: DisclosureOptions): Disclosure {
  const [remote = ''] = host.replace(/^.*@/, '').split(':');
  return redact ? new Redacted(driver, [hostname(), remote]) : everything;
}

/** Cucumber writes reports of its own as it goes. @throws UsageError if those would show what shall be hidden */
export function refuseOwnReports(cucumberOptions: readonly string[]): void {
  const format = cucumberOptions.find((option) => /^(-f|--format)(=|$)/.test(option));
  if (format === undefined) return;
  throw new UsageError(`--redact hides nothing of what Cucumber writes with ${format}`, 'leave one of the two out');
}

class Redacted implements Disclosure {
  readonly #redactor: Redactor;
  readonly #driver: Driver;

  constructor(driver: Driver, hosts: readonly string[]) {
    this.#driver = driver;
    this.#redactor = new Redactor(hosts);
    redactDut(driver.dut, this.#redactor); // what is the device's own comes first: gid-1
  }

  /** A driver that replaces a lost VM has a device with other addresses. */
  message(envelope: Envelope): Envelope {
    this.#redactor.learn(this.#driver.dut);
    return redactEnvelope(envelope, this.#redactor);
  }

  info({ driver, dut, ...others }: RunInfo): RunInfo {
    return { ...others, driver: this.#redactor.text(driver), dut: redactDut(dut, this.#redactor), redacted: true };
  }

  text(text: string): string {
    return this.#redactor.text(text);
  }
}

import { homedir, hostname, userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { IRunConfiguration } from '@cucumber/cucumber/api';
import type { Envelope } from '@cucumber/messages';
import { UsageError, type Driver } from '../../drivers/contract';
import { remoteTargetOf } from '../../drivers/native/carriers/remote-target';
import { machinesBehind } from '../../drivers/native/carriers/ssh';
import type { ListedDeviation } from '../../catalog/deviations';
import { judgeRun } from '../../reports/judge/judge';
import { explainedIn, type JudgedRun, type Recording } from '../../reports/judge/judged-run';
import { redactDeviation, redactMatching } from '../../reports/redaction/redact-deviations';
import { redactDut, redactEnvelope, redactJson } from '../../reports/redaction/redact-run';
import { Redactor } from '../../reports/redaction/redactor';
import type { Execution } from './execute';
import { root } from '../common/project';

/** What a run shows of itself: all of it, or, with `--redact`, no GUID, no address and no name of a machine or person. */
export interface Disclosure {
  /** Takes note of the device, whose names come first. */
  readonly learn: (driver: Driver) => void;
  readonly message: (envelope: Envelope) => Envelope;
  readonly text: (text: string) => string;
  /** A text of JSON. */
  readonly json: (text: string) => string;
  /** The same error with another message. */
  readonly error: (error: unknown) => unknown;
  /**
   * What Cucumber shall run, with streams that show no more. @throws UsageError if it would write reports of its own that do
   *
   * @param cucumberOptions - the user's own
   */
  readonly execution: (execution: Execution, cucumberOptions: readonly string[]) => Execution;
  /**
   * Judges a run.
   *
   * @param shown - its messages as {@link Disclosure.message} gave them
   * @param own - those of the deviations that the user has listed
   */
  readonly judge: (recording: Recording, shown: readonly Envelope[], own: readonly ListedDeviation[]) => JudgedRun;
}

const everything: Disclosure = {
  learn: () => undefined,
  message: (envelope) => envelope,
  text: (text) => text,
  json: (text) => text,
  error: (error) => error,
  execution: (execution) => execution,
  judge: (recording) => judgeRun(recording),
};

/** What the user asks for with `--redact`, and the options whose values show who works where. */
export interface DisclosureOptions {
  readonly redact?: boolean;
  readonly host?: string;
}

export function disclosureOf(options: DisclosureOptions): Disclosure {
  return options.redact === true ? new Redacted(options.host) : everything;
}

class Redacted implements Disclosure {
  readonly #redactor: Redactor;
  #driver: Driver | undefined;

  constructor(host: string | undefined) {
    const target = host === undefined ? undefined : remoteTargetOf(host);
    const [remote = '', account = ''] = target?.destination.split('@').reverse() ?? [];
    const hosts = [hostname(), remote, ...(target ? machinesBehind(target) : []), ...machinesOfEnvironment()];
    const folders = { project: root, home: homeFolder() };
    this.#redactor = new Redactor(hosts, { users: [account, ...ownNames()], folders });
  }

  readonly learn = (driver: Driver): void => {
    this.#driver = driver;
    for (const name of driver.hostNames ?? []) this.#redactor.learnHost(name);
    redactDut(driver.dut, this.#redactor); // what is the device's own comes first: gid-1
  };

  /** A driver that replaces a lost VM has a device with other addresses. */
  readonly message = (envelope: Envelope): Envelope => {
    if (this.#driver !== undefined) this.#redactor.learn(this.#driver.dut);
    return redactEnvelope(envelope, this.#redactor);
  };

  readonly text = (text: string): string => this.#redactor.text(text);

  readonly json = (text: string): string => redactJson(text, this.#redactor);

  readonly error = (error: unknown): unknown => {
    if (!(error instanceof Error)) return typeof error === 'string' ? this.text(error) : error;
    error.message = this.text(error.message);
    if (error.stack !== undefined) error.stack = this.text(error.stack);
    return error;
  };

  readonly execution = (execution: Execution, cucumberOptions: readonly string[]): Execution => {
    refuseOwnReports(cucumberOptions, execution.configuration);
    const { environment } = execution;
    const stderr = environment.stderr && this.#redacted(environment.stderr);
    return { ...execution, environment: { ...environment, ...(stderr && { stderr }) } };
  };

  /** A symptom may name an address, so the list is compared with what the device said; the rest derives from what is shown. */
  readonly judge = (recording: Recording, shown: readonly Envelope[], own: readonly ListedDeviation[]): JudgedRun => {
    const { scenarios, reckonings } = judgeRun(recording);
    const redacted = new Map(own.map((entry) => [entry, redactDeviation(entry, this.#redactor)]));
    const matches = scenarios.map(({ match }) => match);
    const explained = scenarios.map(explainedIn);
    const { driver, dut, label, options, ...info } = recording.info;
    return judgeRun({
      ...recording,
      envelopes: shown,
      info: {
        ...info,
        driver: this.text(driver),
        dut: redactDut(dut, this.#redactor),
        ...(label !== undefined && { label: this.text(label) }),
        ...(options && { options: options.map(this.text) }),
        redacted: true,
      },
      deviations: recording.deviations.map((entry) => redacted.get(entry) ?? entry),
      matching: redactMatching({ matches, explained, reckonings }, redacted, this.#redactor),
    });
  };

  #redacted(stream: Writable): Writable {
    return new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        stream.write(this.text(String(chunk)));
        done();
      },
    });
  }
}

const remedies = {
  format: 'leave one of the two out',
  publish: 'leave one of the two out, and unset CUCUMBER_PUBLISH_ENABLED and CUCUMBER_PUBLISH_TOKEN',
};

/** Cucumber writes reports of its own as it goes, however the option is spelled. */
function refuseOwnReports(cucumberOptions: readonly string[], { formats, plugins }: IRunConfiguration): void {
  const refuse = (what: string, remedy = remedies.format): never => {
    throw new UsageError(`--redact hides nothing of what Cucumber writes with ${what}`, remedy);
  };
  const option = cucumberOptions.find((text) => /^(-f|--format(=|$))/.test(text));
  if (option !== undefined) refuse(option);
  if (Object.keys(formats.files).length > 0 || formats.stdout !== 'progress') refuse('--format');
  if (formats.publish !== false) refuse('--publish', remedies.publish);
  if ((plugins?.specifiers ?? []).length > 0) refuse('--plugin');
}

/** Variables by which a CI system, or a shell, names its machines and accounts. */
const addressVariable = /^[A-Z0-9_]*(?:URL|URI)$/;
const machineVariable = /^(?:[A-Z0-9_]*_)?(?:HOST|HOSTNAME|NODE_NAME|RUNNER_NAME|AGENT_NAME|COMPUTERNAME)$/;
const personVariable = /^(?:USER|LOGNAME|SUDO_USER|GITHUB_ACTOR|GITLAB_USER_LOGIN|BUILD_USER(?:_ID)?|CHANGE_AUTHOR)$/;

function machinesOfEnvironment(): string[] {
  return Object.entries(process.env).flatMap(([name, value = '']) => {
    if (!addressVariable.test(name) && !machineVariable.test(name)) return [];
    const found =
      /^[\w+.-]+:\/\/(?:[^/@\s]*@)?(\[[^\]]*\]|[^\s/:?#]+)/.exec(value) ??
      /^[^/@\s:]+@([^\s/:]+):/.exec(value) ??
      (machineVariable.test(name) ? /^([\w.-]+)$/.exec(value) : null);
    return found?.[1] ?? [];
  });
}

function ownNames(): string[] {
  const variables = Object.entries(process.env).filter(([name]) => personVariable.test(name));
  return [...variables.map(([, value = '']) => value), accountName(), basename(homeFolder())];
}

/** A container may run under a number that no account has. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

function homeFolder(): string {
  try {
    return resolve(homedir());
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '/';
    throw error;
  }
}

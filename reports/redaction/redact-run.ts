import {
  AttachmentContentEncoding,
  type Attachment,
  type Ci,
  type Envelope,
  type TestStepResult,
} from '@cucumber/messages';
import type { Data, Dut } from '../../drivers/contract';
import { bytesOf } from '../recording/attachment-text';
import type { Redactor } from './redactor';

/** The device without its GUIDs, its addresses, and what names it by them; versions stay as they are. */
export function redactDut(dut: Partial<Dut>, redactor: Redactor): Partial<Dut> {
  redactor.learn(dut);
  const { hcaId, nodeGuid, port, modules, ...others } = dut;
  return {
    ...(hcaId !== undefined && { hcaId: redactor.text(hcaId) }),
    ...(nodeGuid !== undefined && { nodeGuid: redactor.guid(nodeGuid) }),
    ...(port && { port: { ...port, gid: redactor.gid(port.gid), netdev: redactor.text(port.netdev) } }),
    ...(modules && { modules: redactStrings(modules, redactor, versionMembers) }),
    ...redactStrings(others, redactor, versionMembers),
  };
}

/** Members that are versions, whatever they look like: in them, only the device's own addresses are hidden. */
const versionMembers = [
  'fwVer',
  'kernel',
  'rdmaCore',
  'provider',
  'distribution',
  'version',
  'srcversion',
  'buildId',
  'sha256',
];

/** Members whose value is the name of a machine. */
const hostMembers = ['host', 'hostname', 'nodename'];

/**
 * A message of the run without what is to be hidden. What devices and hosts say is in attachments, in errors and in what
 * is written about the system; features and steps are the project's own, and stay.
 */
export function redactEnvelope(envelope: Envelope, redactor: Redactor): Envelope {
  const copy = structuredClone(envelope);
  const { attachment, testStepFinished, testRunHookFinished, testRunFinished, parseError, meta } = copy;
  if (attachment) attachment.body = redactBody(attachment, redactor);
  if (testStepFinished) redactFailure(testStepFinished.testStepResult, redactor);
  if (testRunHookFinished) redactFailure(testRunHookFinished.result, redactor);
  if (testRunFinished) redactFailure(testRunFinished, redactor);
  if (parseError) parseError.message = redactor.text(parseError.message);
  if (meta?.ci) redactCi(meta.ci, redactor);
  return copy;
}

/** Where a build ran shows the machines, the accounts and the projects of a company; its commit shows nothing. */
function redactCi(ci: Ci, redactor: Redactor): void {
  const { url, buildNumber, git } = ci;
  if (url !== undefined) ci.url = redactor.url(url);
  if (buildNumber !== undefined) ci.buildNumber = redactor.text(buildNumber);
  if (git === undefined) return;
  git.remote = redactor.url(git.remote);
  if (git.branch !== undefined) git.branch = redactor.text(git.branch);
  if (git.tag !== undefined) git.tag = redactor.text(git.tag);
}

/** The class of an error stays: the verdict hangs on it. */
function redactFailure(failure: Pick<TestStepResult, 'message' | 'exception'>, redactor: Redactor): void {
  const { message, exception } = failure;
  if (message !== undefined) failure.message = redactor.text(message);
  if (exception?.message !== undefined) exception.message = redactor.text(exception.message);
  if (exception?.stackTrace !== undefined) exception.stackTrace = redactor.text(exception.stackTrace);
}

function redactBody(attachment: Attachment, redactor: Redactor): string {
  const bytes = bytesOf(attachment);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return attachment.body; // no text, such as a picture
  const redacted = attachment.mediaType.endsWith('json') ? redactJson(text, redactor) : redactor.text(text);
  const isBase64 = attachment.contentEncoding === AttachmentContentEncoding.BASE64;
  return isBase64 ? Buffer.from(redacted).toString('base64') : redacted;
}

/** Data without what is to be hidden. */
export function redactData(data: Data, redactor: Redactor): Data {
  return redactStrings(data, redactor, versionMembers);
}

/** A text of JSON without what is to be hidden; one that is none is a text like others. */
export function redactJson(text: string, redactor: Redactor): string {
  try {
    return JSON.stringify(redactStrings(JSON.parse(text), redactor, versionMembers));
  } catch (error) {
    if (error instanceof SyntaxError) return redactor.text(text);
    throw error;
  }
}

/** A value of the same shape: only strings change, and names of members that hold an address. */
function redactStrings<T>(value: T, redactor: Redactor, kept: readonly string[] = []): T {
  return redactValue(value, '', redactor, kept) as T;
}

function redactValue(value: unknown, name: string, redactor: Redactor, kept: readonly string[]): unknown {
  if (typeof value === 'string') return redactString(value, name, redactor, kept);
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, name, redactor, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [redactor.addresses(key), redactValue(member, key, redactor, kept)]),
  );
}

function redactString(value: string, name: string, redactor: Redactor, kept: readonly string[]): string {
  if (kept.includes(name)) return redactor.addresses(value);
  if (hostMembers.includes(name.toLowerCase())) redactor.learnHost(value);
  return name === 'bytes' && /^(?:[0-9a-f]{2})+$/i.test(value) ? redactor.memory(value) : redactor.text(value);
}

import type { Attachment } from '@cucumber/messages';
import { extname } from 'node:path';
import { kernelLogFileName, mediaTypes } from '../../drivers/contract';
import { bytesOf, textOf } from '../recording/attachment-text';
import { parseTrace, traceOf, type TraceType } from '../evidence/recorded-trace';
import { renderTrace } from '../evidence/trace-text';
import type { RecordedAttempt } from '../recording/recorded-run';

/** A file of the report. */
export interface AttachedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly contentType: string;
  readonly fileExtension: string;
  /** Whether it is evidence of the whole scenario, whichever hook attached it. */
  readonly isEvidence: boolean;
}

/** Types that a report can show without executing anything; what else a run attaches is shown as text. */
const harmlessTypes = new Map([
  ['application/json', '.json'],
  ['image/jpeg', '.jpg'],
  ['image/png', '.png'],
  ['text/csv', '.csv'],
  ['text/plain', '.txt'],
]);

/** The files that an attachment of an attempt becomes. */
export function attachedFiles(attachment: Attachment, attempt: RecordedAttempt | undefined): AttachedFile[] {
  switch (attachment.mediaType) {
    case mediaTypes.failure:
    case mediaTypes.notApplicable:
      return []; // the message of the result says it
    case mediaTypes.traceLegend:
      return []; // the trace as text says it
    case mediaTypes.trace:
      return traceFiles(attachment, 'Verb trace', attempt, mediaTypes.trace);
    case mediaTypes.cleanUpTrace:
      return traceFiles(attachment, 'Clean-up trace', attempt, mediaTypes.cleanUpTrace);
    default:
      return [otherFile(attachment)];
  }
}

function traceFiles(
  attachment: Attachment,
  name: string,
  attempt: RecordedAttempt | undefined,
  type: TraceType,
): AttachedFile[] {
  const isTrace = parseTrace(textOf(attachment)) !== undefined;
  const rendered = isTrace ? [text(name, renderTrace(traceOf(attempt, type)).join('\n') || 'no call')] : [];
  const json = {
    name: attachment.fileName ?? 'trace.json',
    content: bytesOf(attachment),
    contentType: 'application/json',
    fileExtension: '.json',
    isEvidence: true,
  };
  return [...rendered, json];
}

function otherFile(attachment: Attachment): AttachedFile {
  const { fileName, mediaType } = attachment;
  const [type = ''] = mediaType.split(';');
  const fileExtension = harmlessTypes.get(type);
  if (fileName === kernelLogFileName) return text('Kernel log', textOf(attachment));
  return {
    name: fileName ?? 'Attachment',
    content: bytesOf(attachment),
    contentType: fileExtension === undefined ? 'text/plain' : type,
    fileExtension: fileExtension === undefined ? '.txt' : extname(fileName ?? '') || fileExtension,
    isEvidence: false,
  };
}

function text(name: string, content: string): AttachedFile {
  return { name, content: Buffer.from(content), contentType: 'text/plain', fileExtension: '.txt', isEvidence: true };
}

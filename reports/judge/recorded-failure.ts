import type { Attachment } from '@cucumber/messages';
import { mediaTypes, type Comparison, type Data } from '../../drivers/contract';
import { textOf } from '../recording/attachment-text';

/** What a step or hook compared that failed, if it has attached that. */
export function comparisonOfStep(attachments: readonly Attachment[], testStepId: string): Comparison | undefined {
  const attached = attachedBy(attachments, testStepId).at(-1);
  return attached && parseComparison(textOf(attached));
}

/** The same of a hook that has found several things, each by itself. */
export function comparisonsOfStep(attachments: readonly Attachment[], testStepId: string): readonly Comparison[] {
  return attachedBy(attachments, testStepId).flatMap((attached) => parseComparison(textOf(attached)) ?? []);
}

function attachedBy(attachments: readonly Attachment[], testStepId: string): readonly Attachment[] {
  return attachments.filter((one) => one.mediaType === mediaTypes.failure && one.testStepId === testStepId);
}

/** Reads a recorded comparison, or `undefined` if the text is none. */
export function parseComparison(text: string): Comparison | undefined {
  try {
    const value = JSON.parse(text) as Data;
    return isComparison(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isComparison(value: unknown): value is Comparison {
  if (typeof value !== 'object' || value === null) return false;
  const { subject, expected, observed, withinMs } = value as Partial<Record<keyof Comparison, unknown>>;
  const isTimed = withinMs === undefined || typeof withinMs === 'number';
  return typeof subject === 'string' && expected !== undefined && observed !== undefined && isTimed;
}

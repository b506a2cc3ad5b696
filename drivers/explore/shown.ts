import { dataOf, dataText, type TraceValue } from '../contract';

/** A value of a record as text. */
export const shown = (value: TraceValue | undefined): string => dataText(dataOf(value));

import { isReference, type ProgramStruct, type ProgramValue } from '../../programs/program';

/** Whether a value has members. */
export function isStruct(value: ProgramValue | undefined): value is ProgramStruct {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isReference(value);
}

import { VerbsError } from '../../drivers/contract';

/** What a call gives, or something else if the verb refuses. */
export async function unlessRefused<T>(call: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof VerbsError) return otherwise;
    throw error;
  }
}

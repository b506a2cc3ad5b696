import { createContext, Script } from 'node:vm';
import { oneLine } from '../../catalog/plain-text';

/** Milliseconds that an expression may take over a text; one that backtracks without end takes years. */
const matchMaxMs = 1000;
/** Characters of a text that an expression is looked for in. */
const searchedMax = 16_384;

/** Only code that runs as a script of its own can be stopped. */
const script = new Script('new RegExp(source).test(text)');
const context = createContext({ source: '', text: '' });

/**
 * Whether a regular expression of the user's is found in a text.
 *
 * @throws Error in a line, if it is not an expression, too large a one, or takes too long
 */
export function isFound(expression: string, text: string): boolean {
  Object.assign(context, { source: expression, text: text.slice(0, searchedMax) });
  try {
    return script.runInContext(context, { timeout: matchMaxMs }) as boolean;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // those of the other context are no Error of this one
    const isSlow = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw new Error(isSlow ? `its expression takes more than ${matchMaxMs} ms` : shortened(oneLine(message)));
  }
}

const shownMax = 200;

/** The message of V8 begins with all of the expression. */
function shortened(text: string): string {
  return text.length <= shownMax ? text : `${text.slice(0, shownMax / 2)} … ${text.slice(-shownMax / 2)}`;
}

import { createContext, Script } from 'node:vm';
import { oneLine } from './plain-text';

/** Milliseconds that one symptom may take over one text; an expression that backtracks without end takes years. */
const matchMaxMs = 1000;
/** Milliseconds that all symptoms of a run together may take. */
const allMaxMs = 10_000;
/** Characters of a text that a symptom is looked for in. */
const searchedMax = 16_384;

/** Only code that runs as a script of its own can be stopped. */
const script = new Script('new RegExp(source).test(text)');
const context = createContext({ source: '', text: '' });

/** Looks for symptoms, which are regular expressions of somebody else's, in bounded time. */
export class SymptomMatcher {
  readonly #failures = new Map<string, string>();
  #leftMs = allMaxMs;

  /** Whether the expression is found; one that has failed is not asked again, and found nowhere. */
  matches(symptom: string, text: string): boolean {
    if (this.#failures.has(symptom)) return false;
    if (this.#leftMs < 1) return this.#fail(symptom, `the symptoms together took more than ${allMaxMs / 1000} s`);
    const startedAt = performance.now();
    try {
      return isFound(symptom, text, Math.min(matchMaxMs, Math.ceil(this.#leftMs)));
    } catch (error) {
      return this.#fail(symptom, (error as Error).message);
    } finally {
      this.#leftMs -= performance.now() - startedAt;
    }
  }

  /** Why an expression could not be looked for. */
  failure(symptom: string): string | undefined {
    return this.#failures.get(symptom);
  }

  #fail(symptom: string, why: string): boolean {
    this.#failures.set(symptom, why);
    return false;
  }
}

/**
 * Whether an expression is found in a text.
 *
 * @throws Error in a line, if it is no expression, too large a one, or takes too long
 */
export function isFound(symptom: string, text: string, maxMs = matchMaxMs): boolean {
  Object.assign(context, { source: symptom, text: text.slice(0, searchedMax) });
  try {
    return script.runInContext(context, { timeout: maxMs }) as boolean;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // those of the other context are no Error of this one
    const isSlow = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw new Error(isSlow ? `its expression takes more than ${maxMs} ms` : shortened(oneLine(message)));
  }
}

const shownMax = 200;

/** The message of V8 begins with all of the expression. */
function shortened(text: string): string {
  return text.length <= shownMax ? text : `${text.slice(0, shownMax / 2)} … ${text.slice(-shownMax / 2)}`;
}

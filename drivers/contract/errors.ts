/** A verb refused: the subject of scenarios. Its message names verb, raw result and errno. */
export class VerbsError extends Error {
  override readonly name = 'VerbsError';

  /**
   * @param verb - the C function, `ibv_create_cq`
   * @param errno - symbolic name of the cause, `EINVAL`
   * @param returned - what the C function returned, before any interpretation
   */
  constructor(
    readonly verb: string,
    readonly errno: string,
    readonly returned: number | string | null,
  ) {
    super(`${verb}() was refused: returned ${returned ?? 'NULL'}, errno ${errno}`);
  }
}

/** The harness or the set-up failed: nothing is said of the DUT, the scenario is `broken`. */
export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';

  /**
   * @param message - what is wrong, in one line
   * @param remedy - what the user can do about it, in one line
   */
  constructor(
    message: string,
    readonly remedy?: string,
  ) {
    super(remedy === undefined ? message : `${message}; ${remedy}`);
  }
}

/** The user asked for something that does not exist: an unknown driver, device, kernel, rule or flag (exit code 2). */
export class UsageError extends HarnessError {
  override readonly name = 'UsageError';
}

/**
 * The device under test is gone for good, and each scenario after this one is `broken` with the same reason. The run
 * reports it once and ends with exit code 3.
 */
export class DutLost extends HarnessError {
  override readonly name = 'DutLost';
}

/** A scenario went on after a check that failed as the list of deviations says: it ends with this, and has not passed. */
export class KnownDeviation extends Error {
  override readonly name = 'KnownDeviation';
}

/** The process that executes the verbs died while it executed one: the scenario's verdict is `crash`. */
export class DutCrashed extends Error {
  override readonly name = 'DutCrashed';
}

/** A verb did not return before its deadline: the scenario's verdict is `hang`. */
export class DutHung extends Error {
  override readonly name = 'DutHung';
}

/** The kernel of the DUT died: the scenario's verdict is `panic`. */
export class DutPanicked extends Error {
  override readonly name = 'DutPanicked';
}

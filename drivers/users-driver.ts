import { DutCrashed, DutHung, DutPanicked, HarnessError, UsageError, type CreateDriver, type Driver } from './contract';
import { unlessStalled } from './support/stalled';
import { VerbsDriver } from './pipeline/verbs-driver';

const errorsOfContract = [HarnessError, DutCrashed, DutHung, DutPanicked];

/**
 * The factory of a user's own module, with what keeps its mistakes from being those of a device: what it throws names the
 * module, what it returns is a whole driver, and what never settles is a hang.
 *
 * @param name - the module as the user has named it
 */
export function guardedFactory(createDriver: CreateDriver, name: string): CreateDriver {
  return async (options) => {
    const driver = await createdBy(async () => createDriver(options), name);
    refuseUnfinished(driver, name);
    return guarded(driver, name);
  };
}

async function createdBy(create: () => Promise<Driver>, name: string): Promise<Driver> {
  try {
    return await unlessStalled(create(), () => new HarnessError(`createDriver() of ${name} never answers`));
  } catch (error) {
    if (errorsOfContract.some((type) => error instanceof type)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new HarnessError(`createDriver() of ${name} failed: ${text}`, `fix ${name}, or use another driver`);
  }
}

/** @throws UsageError naming what a driver has and this one lacks */
function refuseUnfinished(driver: unknown, name: string): void {
  if (typeof driver !== 'object' || driver === null)
    throw new UsageError(`createDriver() of ${name} returns no driver`);
  const missing = [
    ...methods.filter((method) => typeof Reflect.get(driver, method) !== 'function').map((method) => `${method}()`),
    ...objects.filter((member) => typeof (Reflect.get(driver, member) ?? undefined) !== 'object'),
  ];
  const [first, ...others] = missing;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more members of a driver`;
  throw new UsageError(
    `the driver of ${name} lacks ${first}${more}`,
    'drivers/contract/driver.ts lists what it has to have',
  );
}

const objects = ['dut', 'limits'];

/** What a {@link VerbsDriver} has for itself. */
const internals = ['constructor', 'call', 'forgetObjects'];

/** Methods of the contract, as the class has them that implements it. */
const methods = methodsOf(VerbsDriver.prototype).filter((name) => !internals.includes(name));

function methodsOf(prototype: object): string[] {
  if (prototype === Object.prototype) return [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  const names = own.flatMap(([name, { value }]) => (typeof value === 'function' ? [name] : []));
  return [...names, ...methodsOf(Object.getPrototypeOf(prototype) as object)];
}

/** A driver each of whose calls comes to an end. */
function guarded(driver: Driver, name: string): Driver {
  return new Proxy({} as Driver, {
    has: (_, key) => key in driver,
    get: (_, key) => {
      const member: unknown = Reflect.get(driver, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, driver, args);
        if (!(result instanceof Promise)) return result;
        return unlessStalled(result, () => stalledIn(String(key), name));
      };
    },
  });
}

/** What the suite needs around the verbs; nothing of it is the device's doing. */
const aroundVerbs = ['begin', 'end', 'settle', 'pause', 'setPortUp', 'close'];

function stalledIn(method: string, name: string): Error {
  const text = `${method}() of the driver ${name} never answers`;
  return aroundVerbs.includes(method) ? new HarnessError(text) : new DutHung(text);
}

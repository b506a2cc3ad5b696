import { soundParts, type Parts } from '../device/device';

type Class = abstract new (...args: never) => object;
type Method = (...args: readonly unknown[]) => unknown;

/** What a scenario or a fault has to do with the simulator: `Cq.add`, `Cq.constructor`, or the name of a verb. */
export type Touch = string;

/** The sound classes, which tell each method that is called. */
export function tellingParts(tell: (touch: Touch) => void): Parts {
  const entries = Object.entries(soundParts).map(([part, sound]) => [part, telling(part, sound as Class, tell)]);
  return Object.fromEntries(entries) as Parts;
}

function telling(part: string, sound: Class, tell: (touch: Touch) => void): Class {
  const Base = sound as new (...args: unknown[]) => object;
  class Telling extends Base {
    constructor(...args: unknown[]) {
      tell(`${part}.constructor`);
      super(...args);
    }
  }
  for (const [name, descriptor] of methodsOf(sound)) {
    Object.defineProperty(
      Telling.prototype,
      name,
      tellingOf(descriptor, () => {
        tell(`${part}.${name}`);
      }),
    );
  }
  return Telling;
}

/** A method, getter or setter that tells of its calls. */
function tellingOf(descriptor: PropertyDescriptor, tell: () => void): PropertyDescriptor {
  const functions = Object.entries(descriptor).filter(([, value]) => typeof value === 'function') as [string, Method][];
  const told = functions.map(([key, method]) => [
    key,
    function (this: unknown, ...args: unknown[]): unknown {
      tell();
      return Reflect.apply(method, this, args);
    },
  ]);
  return { ...descriptor, ...(Object.fromEntries(told) as PropertyDescriptor) };
}

function methodsOf(sound: Class): Map<string, PropertyDescriptor> {
  const methods = new Map<string, PropertyDescriptor>();
  for (
    let one = sound.prototype as object | null;
    one && one !== Object.prototype;
    one = Object.getPrototypeOf(one) as object | null
  ) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(one))) {
      if (name !== 'constructor' && !methods.has(name)) methods.set(name, descriptor);
    }
  }
  return methods;
}

/** What the classes of a fault replace. A scenario that touches nothing of it runs as it does without the fault. */
export function replacedBy(parts: Partial<Parts>): Touch[] {
  return Object.entries(parts).flatMap(([part, faulty]) => {
    const { verbs } = faulty as { readonly verbs?: readonly string[] };
    if (verbs !== undefined) return verbs;
    const replaced: Touch[] = [];
    const sound: unknown = soundParts[part as keyof Parts];
    for (let one: unknown = faulty; typeof one === 'function' && one !== sound; one = Object.getPrototypeOf(one)) {
      const names = Object.getOwnPropertyNames(one.prototype).filter((name) => name !== 'constructor');
      replaced.push(
        ...names.map((name) => `${part}.${name}`),
        ...(initializes(one.toString()) ? [`${part}.constructor`] : []),
      );
    }
    return replaced;
  });
}

/** Whether a class has a constructor or public members of its own, by its text: JavaScript does not tell otherwise. */
function initializes(text: string): boolean {
  const outermost = withoutNested(text.slice(text.indexOf('{') + 1));
  return /(^|[\s;])(constructor|(?!static\b)[\w$]+\s*[=;])/.test(outermost.replace(/#[\w$]+\s*=?[^;]*;/g, ''));
}

/** The text outside of all braces and parentheses. */
function withoutNested(text: string): string {
  let depth = 0;
  return text
    .split(/(?=[{}()])|(?<=[{}()])/)
    .filter((sign) => {
      if (sign === '{' || sign === '(') depth += 1;
      if (sign === '}' || sign === ')') depth -= 1;
      return depth === 0;
    })
    .join('');
}

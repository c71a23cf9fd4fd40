// Objects whose calls leave the process, with a span for each call.
import type { Traces } from './traces.ts';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * Returns the object with a span for each call of the named functions, called such as `store put`. What is
 * passed and returned is in no span.
 */
export function tracedCalls<T extends object>(
  object: T,
  names: readonly (keyof T & string)[],
  { what, traces }: { readonly what: string; readonly traces: Traces },
): T {
  const traced = names.map((name): [string, Call] => {
    const call = (object[name] as Call).bind(object);
    const title = `${what} ${name}`;
    return [name, (...given) => traces.span(title, { kind: 'client' }, () => call(...given))];
  });
  return { ...object, ...Object.fromEntries(traced) };
}

// A server process whose clock starts at another time: rows of a dump must not expire because the test runs later.

/** Runs before the program. The constant is set by `startingAt`. */
const shifted = `
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + shiftMs);
    else super(...args);
  }
  static now() {
    return Real.now() + shiftMs;
  }
  static [Symbol.hasInstance](value) {
    return value instanceof Real;
  }
};`;

/** Returns the settings of a process that takes this moment for the present. */
export function startingAt(time: string): Readonly<Record<string, string>> {
  const program = `const shiftMs = ${Date.parse(time) - Date.now()};${shifted}`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` };
}

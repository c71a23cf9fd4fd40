// How long a text is in code points, as the contract counts it, and what is said of one that is too long.

/**
 * Whether a text has more than `max` code points. A long text is not counted: that would block all other
 * requests.
 */
export function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** Maximum of UTF-16 units that are counted, for the same reason. */
const countedMax = 100_000;

/** Returns the fault of a text that is too long: how long it may be, and how long it is. */
export function tooLong(text: string, max: number): string {
  const length =
    text.length > countedMax ? `more than ${countedMax / 2}` : String([...text].length);
  return `must have at most ${max} characters; it has ${length}`;
}

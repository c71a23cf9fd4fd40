// Parsers of options that several commands have.
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** Parses a number of items. */
export function count(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

/** Parses words separated by commas. */
export function splitAtCommas(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim());
}

/** Returns an option that takes one of the values. */
export function oneOf<const F extends string, const T extends string>(
  flags: F,
  description: string,
  values: readonly T[],
): Option<F, undefined, undefined, undefined, false, T> {
  const option: unknown = new Option(flags, description).choices(values);
  return option as Option<F, undefined, undefined, undefined, false, T>;
}

/** Returns a number with its noun. */
export function numberOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

// Where an answered form leads, as a header can say it.

/** Clients refuse headers of more than 16 KB. */
const longest = 2_048;

/**
 * Returns the path without what makes it too long: its fragment and its query can repeat fields of a form, which
 * may have any length.
 */
export function shortLocation(path: string): string {
  const withoutFragment = path.length <= longest ? path : path.replace(/#.*$/s, '');
  return withoutFragment.length <= longest
    ? withoutFragment
    : withoutFragment.replace(/\?.*$/s, '');
}

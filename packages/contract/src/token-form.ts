// The form of a token as a person gives it to a program.

/** Returns what is wrong with a text that is not a token alone, as the end of a sentence; undefined for a token. */
export function tokenFault(text: string): string | undefined {
  // Inside, because builds of programs take this function without its module.
  const faults: readonly (readonly [RegExp, string])[] = [
    [/^(?:authorization:\s*)?bearer\b/i, 'begins with “Bearer”'],
    [/^["'`“‘].*["'`”’]$/s, 'stands in quotes'],
    [/\s/, 'contains spaces or line ends'],
    // RFC 6750, section 2.1.
    [/^(?![\w.~+/-]+=*$)/, 'contains characters that no token has'],
  ];
  return faults.find(([pattern]) => pattern.test(text))?.[1];
}

// Errors of input that cannot be sent, apart from other TypeErrors, which are faults of a program.

/** Returns the error for input that cannot be sent. Its `code` is ERR_INVALID_INPUT; nothing was sent. */
export function inputError(detail: string): TypeError {
  return Object.assign(new TypeError(detail), { code: 'ERR_INVALID_INPUT' });
}

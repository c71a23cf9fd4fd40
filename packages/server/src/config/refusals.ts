// The sentences that refuse a setting.

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names a wrong setting with its value. */
export function refuse(name: string, value: string, expected: string): Error {
  return new Error(`${name} is ${JSON.stringify(value)}: set it to ${expected}.`);
}

/** Refuses a setting that may contain a password or a key, without repeating its value. */
export function refuseUnseen(name: string, expected: string): Error {
  return new Error(`${name} is malformed: set it to ${expected}.`);
}

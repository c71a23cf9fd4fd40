// What is asked of a JSON text beyond its grammar, and what may be wrong with one.

export type JsonLimits = {
  /** How deep values may be nested; the outermost value has depth 1. */
  readonly maxDepth: number;
  /** How many names and values there may be, all objects and arrays included. */
  readonly maxMembers: number;
};

export type JsonRefusalCode =
  | 'duplicate-name'
  | 'forbidden-name'
  | 'nul'
  | 'lone-surrogate'
  | 'number-range'
  | 'too-deep'
  | 'too-many-members';

/** What is wrong first: with the grammar (`at`, a byte offset), or with grammatical text. */
export type JsonFinding =
  | { readonly kind: 'grammar'; readonly at: number; readonly expected: string }
  | {
      readonly kind: 'refused';
      readonly code: JsonRefusalCode;
      readonly path: readonly (string | number)[];
    };

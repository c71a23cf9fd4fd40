// Limits for a JSON text beyond its grammar, and the findings of the validator.

export type JsonLimits = {
  /** The maximum nesting depth; the outermost value has depth 1. */
  readonly maxDepth: number;
  /** The maximum number of names and values, all objects and arrays included. */
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

/** The first fault: of the grammar (`at`, a byte offset), or of a grammatical text. */
export type JsonFinding =
  | { readonly kind: 'grammar'; readonly at: number; readonly expected: string }
  | {
      readonly kind: 'refused';
      readonly code: JsonRefusalCode;
      readonly path: readonly (string | number)[];
    };

// Builds JSON Schema with the types of TypeBox. TypeBox itself is not loaded: its 370 files would be a fifth of
// those that every start reads, for ten functions that only make objects.
import type { Type as TypeBox, TProperties, TSchema } from 'typebox';

type Built =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Null'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Tuple'
  | 'Union'
  | 'Unsafe';

/** Members of objects that may be missing. */
const optional = new WeakSet<object>();

function markOptional(schema: TSchema): TSchema {
  const marked = { ...schema };
  optional.add(marked);
  return marked;
}

function objectOf(properties: TProperties, options?: object): object {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {}));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
}

const builders = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Object: objectOf,
  Optional: markOptional,
  String: (options?: object) => ({ type: 'string', ...options }),
  Tuple: (items: readonly TSchema[], options?: object) => ({
    type: 'array',
    additionalItems: false,
    items,
    minItems: items.length,
    ...options,
  }),
  Union: (anyOf: readonly TSchema[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
};

/** The builders of TypeBox that the contract uses: the same schemas, with the same types. */
export const Type = builders as unknown as Pick<typeof TypeBox, Built>;

// The members of a schema in words: type, limits, allowed values and description of each.
import { Id, Timestamp } from '@colophon/contract';
import { figure } from '../components/labels.ts';

type Scalar = string | number | boolean | null;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Scalar[];
  readonly const?: Scalar;
  readonly pattern?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly 'x-max-bytes'?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

export interface Field {
  readonly name: string;
  readonly required: boolean;
  /** `string`, `id or null`, `list of objects`. */
  readonly type: string;
  /** Every allowed value; empty where the type does not list them. */
  readonly values: readonly string[];
  /** `1 to 300 characters`; empty where there is no limit. */
  readonly limits: string;
  readonly description: string;
  /** The members of the object, or of each object in the list. */
  readonly fields: readonly Field[];
}

const named = new Map([
  [(Id as Schema).pattern, 'id'],
  [(Timestamp as Schema).pattern, 'timestamp'],
]);

/** Follows a reference to a shared schema. */
function resolveReference(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? undefined : schemas[name];
  // The description of an id is the same everywhere.
  return found === undefined ? schema : { ...found, description: schema.description ?? '' };
}

/** Returns the schema of a value that is not null; of two schemas of a response, the first. */
function valueOf(schema: Schema, schemas: Schemas): Schema {
  const one = resolveReference(schema, schemas);
  return one.anyOf?.[0] === undefined ? one : valueOf(one.anyOf[0], schemas);
}

function typesOf(schema: Schema, schemas: Schemas): readonly string[] {
  const { anyOf, items, pattern, type } = schema;
  if (anyOf !== undefined)
    return anyOf.flatMap((one) => typesOf(resolveReference(one, schemas), schemas));
  return [type ?? 'any'].flat().map((one) => {
    if (one === 'string') return named.get(pattern) ?? one;
    if (one !== 'array') return one;
    if (items === undefined) return 'list';
    const type_ = typesOf(resolveReference(items, schemas), schemas).join(' or ');
    return `list of ${/^(?:any)$/.test(type_) ? 'values' : `${type_}s`}`;
  });
}

function rangeOf(low: number | undefined, high: number | undefined, unit: string): string {
  if (high === undefined)
    return low === undefined || low === 0 ? '' : `at least ${figure(low)}${unit}`;
  return low === undefined || (low === 0 && unit !== '')
    ? `at most ${figure(high)}${unit}`
    : low === high
      ? `${figure(low)}${unit}`
      : `${figure(low)} to ${figure(high)}${unit}`;
}

function limitsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const bytes = schema['x-max-bytes'];
  return [
    rangeOf(bytes === undefined ? minLength : undefined, maxLength, ' characters'),
    rangeOf(undefined, bytes, ' bytes'),
    rangeOf(minimum, maximum, ''),
    rangeOf(undefined, maxItems, ' items'),
  ]
    .filter((one) => one !== '')
    .join(', ');
}

function valuesOf(schema: Schema, schemas: Schemas): readonly string[] {
  const { const: only, enum: listed, items } = schema;
  if (only !== undefined) return [String(only)];
  if (listed !== undefined) return listed.filter((value) => value !== null).map(String);
  return items === undefined ? [] : valuesOf(resolveReference(items, schemas), schemas);
}

/** Returns a member or parameter with that schema. */
export function fieldOf(
  name: string,
  { schema, required }: { readonly schema: Schema; readonly required: boolean },
  schemas: Schemas,
): Field {
  const one = resolveReference(schema, schemas);
  const value = valueOf(one, schemas);
  return {
    name,
    required,
    type: [...new Set(typesOf(one, schemas))].join(' or '),
    values: valuesOf(value, schemas),
    limits: limitsOf(value),
    description: one.description ?? '',
    fields: fieldsOf(value.items ?? value, schemas),
  };
}

/** Returns the members of an object; none for any other schema. */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const { properties = {}, required = [] } = valueOf(schema, schemas);
  return Object.entries(properties).map(([name, one]) =>
    fieldOf(name, { schema: one, required: required.includes(name) }, schemas),
  );
}

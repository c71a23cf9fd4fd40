// Walks the schemas of the contract: which fields there are, and values that do not fit them.

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly maxBytes?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Field {
  /** RFC 6901, into the body. */
  readonly pointer: string;
  readonly schema: Schema;
}

export function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
}

/** Every field of a closed object, the items of arrays at place 0. */
export function fieldsOf(schema: object, pointer = ''): readonly Field[] {
  const { properties = {}, items } = schema as Schema;
  const members = Object.entries(properties).flatMap(([name, member]) => [
    { pointer: `${pointer}/${name}`, schema: member },
    ...fieldsOf(member, `${pointer}/${name}`),
  ]);
  if (items === undefined) return members;
  return [{ pointer: `${pointer}/0`, schema: items }, ...fieldsOf(items, `${pointer}/0`)];
}

/** The body with another value at the pointer. */
export function bodyWith(body: object, pointer: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = pointer.slice(1).split('/');
  let place: Record<string, unknown> = copy;
  for (const name of names.slice(0, -1)) place = place[name] as Record<string, unknown>;
  place[names.at(-1) ?? ''] = value;
  return copy;
}

const oneOfEach: readonly (readonly [string, unknown])[] = [
  ['string', 'text'],
  ['integer', 5],
  ['number', 5.5],
  ['boolean', true],
  ['array', []],
  ['object', {}],
  ['null', null],
];

/** A value of every JSON type that the schema does not take. */
export function wrongTypes(schema: Schema): readonly unknown[] {
  const taken = typesOf(schema);
  return oneOfEach.filter(([type]) => !taken.includes(type)).map(([, value]) => value);
}

/** Longer than allowed by one; four bytes and two UTF-16 units a character, so that only code points count right. */
export function tooLong(schema: Schema): string | undefined {
  if (schema.maxLength !== undefined) return '🦉'.repeat(schema.maxLength + 1);
  if (schema.maxBytes !== undefined) return `${'🦉'.repeat(schema.maxBytes / 4)}x`;
  return undefined;
}

/** Query strings that a parameter does not take, without the question mark. */
export function wrongQueries(name: string, schema: Schema): readonly string[] {
  const wrong = [`${name}=%00`, `${name}=%ff`, `${name}=%E0%A4`];
  const types = typesOf(schema);
  if (types.includes('integer')) {
    wrong.push(
      `${name}=x`,
      `${name}=`,
      `${name}=1.5`,
      `${name}=1e1`,
      `${name}=0x1`,
      `${name}=${(schema.minimum ?? 0) - 1}`,
    );
    wrong.push(`${name}=${(schema.maximum ?? Number.MAX_SAFE_INTEGER) + 1}`, `${name}=1&${name}=1`);
  }
  if (types.includes('boolean'))
    wrong.push(`${name}=1`, `${name}=TRUE`, `${name}=`, `${name}=true&${name}=true`);
  if (schema.enum !== undefined) wrong.push(`${name}=nonsense`, `${name}=`);
  if (schema.minLength !== undefined) wrong.push(`${name}=`);
  if (schema.maxLength !== undefined)
    wrong.push(`${name}=${encodeURIComponent('🦉'.repeat(schema.maxLength + 1))}`);
  return wrong;
}

// Converts a JSON Schema to a flat TypeScript type, without conditional types.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | readonly Schema[];
  readonly prefixItems?: readonly Schema[];
  readonly description?: string;
}

export interface Style {
  /** Returns the name of a schema that has a declaration of its own. */
  readonly nameOf: (schema: Schema) => string | undefined;
  /** For input: optional members may be undefined. */
  readonly isInput: boolean;
  readonly areArraysReadonly: boolean;
}

/** Returns a docstring; empty for an empty text. */
export function docOf(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Descriptions that every id and time has: they say nothing new at a member. */
const plain = /^(26 characters of Crockford|RFC 3339 in UTC|written by a participant)/;

/** Returns the members of an interface, each with its description. */
export function membersOf(schema: Schema, style: Style, indent = '  '): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isOptional = !required.has(name);
      const type = typeOf(member, style, indent);
      const whole = isOptional && style.isInput ? `${type} | undefined` : type;
      const doc = plain.test(member.description ?? '') ? undefined : member.description;
      return `${docOf(doc, indent)}${indent}${name}${isOptional ? '?' : ''}: ${whole};\n`;
    })
    .join('');
}

function objectOf(schema: Schema, style: Style, indent: string): string {
  const { properties, additionalProperties: rest } = schema;
  if (properties !== undefined) {
    const members = membersOf(schema, style, `${indent}  `);
    return members === '' ? 'Record<string, never>' : `{\n${members}${indent}}`;
  }
  const value = typeof rest === 'object' ? typeOf(rest, style, indent) : 'unknown';
  return `Record<string, ${value}>`;
}

function arrayOf({ items, prefixItems }: Schema, style: Style, indent: string): string {
  const places = prefixItems ?? (Array.isArray(items) ? (items as readonly Schema[]) : undefined);
  const start = style.areArraysReadonly ? 'readonly ' : '';
  if (places !== undefined)
    return `${start}[${places.map((place) => typeOf(place, style, indent)).join(', ')}]`;
  const item = items === undefined ? 'unknown' : typeOf(items as Schema, style, indent);
  return `${start}${/[|&]/.test(item.replaceAll(/\{[\s\S]*\}/g, '')) ? `(${item})` : item}[]`;
}

function typeTextOf(type: string, schema: Schema, style: Style, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return arrayOf(schema, style, indent);
  return type === 'object' ? objectOf(schema, style, indent) : type;
}

function literals(schema: Schema): string | undefined {
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return values?.map((value) => JSON.stringify(value)).join(' | ');
}

/** For a schema with one or several types; a nullable schema uses the name of its non-null form. */
function ofTypes(schema: Schema, style: Style, indent: string): string {
  const { type = [] } = schema;
  if (typeof type === 'string') return typeTextOf(type, schema, style, indent);
  if (type.length === 0) return 'unknown';
  return type
    .map((one) => style.nameOf({ ...schema, type: one }) ?? typeTextOf(one, schema, style, indent))
    .join(' | ');
}

/** Returns the type of a schema, indented as a member that begins at `indent`. */
export function typeOf(schema: Schema, style: Style, indent = ''): string {
  const name = style.nameOf(schema);
  if (name !== undefined) return name;
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return union.map((one) => typeOf(one, style, indent)).join(' | ');
  return literals(schema) ?? ofTypes(schema, style, indent);
}

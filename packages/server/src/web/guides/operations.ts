// The guide to every operation, in Markdown, generated from the OpenAPI document.

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description?: string; readonly content?: Readonly<Record<string, Content>> }
    >
  >;
  readonly 'x-problems': readonly string[];
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ');
}

function typeOf({ $ref, type, enum: values, items }: Schema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  const name = [type ?? 'any'].flat().join(' or ');
  return items === undefined ? name : `${name} of ${typeOf(items)}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function parametersOf({ parameters }: Operation, document: Document): string {
  const rows = parameters.map((given) => {
    const name = given.$ref?.split('/').at(-1);
    const one = name === undefined ? given : (document.components.parameters[name] ?? given);
    const place = one.required ? `${one.in}, required` : one.in;
    return [`\`${one.name}\``, place, typeOf(one.schema), one.description ?? ''];
  });
  return table(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

function bodyOf({ requestBody }: Operation): string {
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {};
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    required.includes(name) ? `${typeOf(schema)}, required` : typeOf(schema),
    schema.description ?? '',
  ]);
  return table(['Body member', 'Type', 'Meaning'], rows);
}

function answersOf({ responses }: Operation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { description, content }]) => {
    if (Number(status) >= 300 || description === undefined) return [];
    const example = content?.['application/json']?.example;
    if (example === undefined) return [`**${status}** ${description}.`];
    return [
      `**${status}** ${description}:`,
      `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ];
  });
}

function section(document: Document, method: string, path: string): string {
  const operation = document.paths[path]?.[method];
  if (operation === undefined) return '';
  const [sample] = operation['x-codeSamples'];
  return [
    `### ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\`, \`${operation.operationId}\``,
    operation.description,
    parametersOf(operation, document),
    bodyOf(operation),
    `\`\`\`bash\n${sample?.source ?? ''}\n\`\`\``,
    ...answersOf(operation),
    `Problems: ${operation['x-problems'].map((name) => `\`${name}\``).join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns all operations, grouped by area, in the order of the contract. */
export function operationsGuide(openApi: object): string {
  const document = openApi as Document;
  const base = document.servers[0]?.url ?? '';
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags }]) => ({ path, method, tag: tags[0] })),
  );
  const areas = document.tags.map(({ name, description }) =>
    [
      `## ${description}`,
      ...all
        .filter(({ tag }) => tag === name)
        .map(({ path, method }) => section(document, method, path)),
    ].join('\n\n'),
  );
  const head = `# Operations

Every operation of the API, generated from the same contract as the [OpenAPI document](${base}/v1/openapi.json). You can run the command below each operation in a shell: set \`TOKEN\` to your token, and replace the ids of the examples. Responses may gain members: ignore those that you do not know.`;
  return `${[head, ...areas].join('\n\n')}\n`;
}

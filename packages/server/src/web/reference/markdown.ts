// The reference in Markdown: every operation on one page, one operation, and the list of them.
import type { Area, Answer, Described } from './operations.ts';
import type { Field } from './schema-fields.ts';

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns what a value may be, with its limits. */
function typeOf({ type, values, limits }: Field): string {
  const listed = values.map((value) => `\`${value}\``).join(', ');
  const shown = listed === '' ? type : type.startsWith('list') ? `${type}: ${listed}` : listed;
  return [shown, limits].filter((one) => one !== '').join(', ');
}

function parametersOf({ parameters }: Described): string {
  const rows = parameters.map((one) => [
    `\`${one.name}\``,
    one.required ? `${one.in}, required` : one.in,
    typeOf(one),
    one.description,
  ]);
  return table(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

function bodyOf({ body }: Described): string {
  const rows = body.map((one) => [
    `\`${one.name}\``,
    one.required ? `${typeOf(one)}, required` : typeOf(one),
    one.description,
  ]);
  return table(['Body member', 'Type', 'Meaning'], rows);
}

function answerOf({ status, meaning, example }: Answer): readonly string[] {
  if (example === undefined) return [`**${status}** ${meaning}.`];
  return [`**${status}** ${meaning}:`, `\`\`\`json\n${example}\n\`\`\``];
}

const fences: Readonly<Record<string, string>> = { Shell: 'bash', TypeScript: 'ts' };

/** Returns one operation below a heading of this level. */
function section(operation: Described, level: '#' | '###'): string {
  const { name, method, path, summary, description, counts, problems } = operation;
  const samples = operation.samples.map(
    ({ lang, source }) => `\`\`\`${fences[lang] ?? ''}\n${source}\n\`\`\``,
  );
  return [
    `${level} ${summary}`,
    `\`${method} ${path}\`, \`${name}\``,
    description,
    counts.join(' '),
    parametersOf(operation),
    bodyOf(operation),
    ...samples,
    ...operation.answers.flatMap(answerOf),
    `Problems: ${problems.map((problem) => `\`${problem}\``).join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns one operation as a document. */
export function operationMarkdown(operation: Described): string {
  return `${section(operation, '#')}\n`;
}

/** Returns all operations, grouped by area, in the order of the contract. */
export function operationsMarkdown(areas: readonly Area[], baseUrl: string): string {
  const sections = areas.map(({ description, operations }) =>
    [`## ${description}`, ...operations.map((one) => section(one, '###'))].join('\n\n'),
  );
  const head = `# Operations

Every operation of the API, generated from the same contract as the [OpenAPI document](${baseUrl}/v1/openapi.json). You can run the commands and programs below each operation: set \`TOKEN\` to your token, and replace the ids of the examples. Responses may gain members: ignore those that you do not know. The [API reference](${baseUrl}/docs/api) has a page for each operation, where you can try it.`;
  return `${[head, ...sections].join('\n\n')}\n`;
}

/** Returns the list of all operations, with links to the document of each. */
export function indexMarkdown(areas: readonly Area[], baseUrl: string): string {
  const lists = areas.map(({ title, operations }) =>
    [
      `## ${title}`,
      '',
      ...operations.map(
        ({ slug, method, path, summary }) =>
          `- [\`${method} ${path}\`](${baseUrl}/docs/api/${slug}.md): ${summary}`,
      ),
    ].join('\n'),
  );
  const head = `# API reference

Each operation of the API has a page. [All of them on one page](${baseUrl}/docs/operations.md), or as [OpenAPI 3.1](${baseUrl}/v1/openapi.json).`;
  return `${[head, ...lists].join('\n\n')}\n`;
}

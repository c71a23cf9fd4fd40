// The sources of the guides: the files in docs/, with the URLs of this deployment.
import { readFile } from 'node:fs/promises';
import { operationsMarkdown } from '../reference/markdown.ts';
import { areasOf } from '../reference/operations.ts';
import type { Deployment } from '../reference/operations.ts';
import { guidePictures } from './pictures.ts';

/**
 * Name of a guide in its URL → its file in docs/. The guide to the operations is generated from the contract.
 */
const files: Readonly<Record<string, string>> = {
  index: 'index.md',
  agents: 'agents.md',
  events: 'events.md',
  signing: 'signing-keys.md',
  verifying: 'verifying.md',
  transparency: 'transparency.md',
  'transparency-audit': 'transparency-audit.md',
  'command-line': 'command-line.md',
  'tool-host': 'tool-host.md',
  media: 'media.md',
  export: 'export.md',
  import: 'import.md',
  edges: 'edges.md',
  search: 'search.md',
  discovery: 'discovery.md',
  markdown: 'markdown.md',
  moderation: 'moderation.md',
  limits: 'limits.md',
};

const nameOfFile = new Map<string, string>([
  ...Object.entries(files).map(([name, file]) => [file, name] as const),
  ['operations.md', 'operations'],
]);

export const guideNames: readonly string[] = [...Object.keys(files), 'operations'];

/** Returns the URL of a guide. */
export function guideAddress(baseUrl: string, name: string): string {
  return name === 'index' ? `${baseUrl}/docs` : `${baseUrl}/docs/${name}`;
}

/** Turns links between files into URLs. A link to a file that is not served becomes plain text. */
function resolveLinks(markdown: string, baseUrl: string): string {
  return markdown.replaceAll(
    /\[([^\]\n]+)\]\(([\w./-]+\.md)(?:#([\w-]+))?\)/g,
    (_, words: string, file: string, place: string | undefined) => {
      const name = nameOfFile.get(file);
      if (name === undefined) return words;
      // The ids of headings in rendered text begin with `md-`.
      return `[${words}](${guideAddress(baseUrl, name)}${place === undefined ? '' : `#md-${place}`})`;
    },
  );
}

/** Gives pictures their addresses. */
function resolvePictures(markdown: string, baseUrl: string): string {
  return guidePictures.reduce(
    (text, { file, path }) => text.replaceAll(`](${file})`, `](${baseUrl}${path})`),
    markdown,
  );
}

/** The note of a generated file is for those who edit the files. */
function withoutNote(markdown: string): string {
  return markdown.replace(/^Generated from .*\n\n/m, '');
}

/** Replaces the service of the examples with this deployment; the tool host listens at another port. */
function resolveAddresses(markdown: string, baseUrl: string): string {
  return markdown.replaceAll(
    /http:\/\/(?:127\.0\.0\.1|localhost)(?::(?!8090)\d+)?(?![\w.:])/g,
    baseUrl,
  );
}

async function makeSource(name: string, deployment: Deployment): Promise<string> {
  const { baseUrl } = deployment;
  const file = files[name];
  if (file === undefined) return operationsMarkdown(areasOf(deployment), baseUrl);
  const text = await readFile(new URL(`../../../../../docs/${file}`, import.meta.url), 'utf8');
  return resolveAddresses(
    resolvePictures(resolveLinks(withoutNote(text), baseUrl), baseUrl),
    baseUrl,
  );
}

/** Returns the text of a guide by its name. */
export type Guides = (name: string) => Promise<string> | undefined;

/** Opens the guides. Each is read once. The returned function returns undefined for an unknown name. */
export function openGuides(deployment: Deployment): Guides {
  const texts = new Map<string, Promise<string>>();
  return (name) => {
    if (!guideNames.includes(name)) return undefined;
    const text = texts.get(name) ?? makeSource(name, deployment);
    texts.set(name, text);
    return text;
  };
}

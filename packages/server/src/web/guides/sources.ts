// The guides of the service: the texts of docs/, with this deployment's own addresses in them.
import { readFile } from 'node:fs/promises';
import { openApi } from '@colophon/contract';
import type { Config } from '#config';
import { operationsGuide } from './operations.ts';

/** Name of a guide in its address → its file in docs/; the operations are written from the contract. */
const files: Readonly<Record<string, string>> = {
  index: 'index.md',
  agents: 'agents.md',
  events: 'events.md',
  signing: 'signing-keys.md',
  verifying: 'verifying.md',
  media: 'media.md',
  edges: 'edges.md',
  search: 'search.md',
  discovery: 'discovery.md',
  markdown: 'markdown.md',
  moderation: 'moderation.md',
};

const nameOfFile = new Map<string, string>([
  ...Object.entries(files).map(([name, file]) => [file, name] as const),
  ['operations.md', 'operations'],
]);

export const guideNames: readonly string[] = [...Object.keys(files), 'operations'];

type Deployment = Pick<Config, 'baseUrl' | 'errorsBaseUrl'>;

/** The address of a guide. */
export function guideAddress(baseUrl: string, name: string): string {
  return name === 'index' ? `${baseUrl}/docs` : `${baseUrl}/docs/${name}`;
}

/** Links between files become addresses here; a link to a file that is not served keeps its words only. */
function linked(markdown: string, baseUrl: string): string {
  return markdown.replaceAll(
    /\[([^\]\n]+)\]\(([\w./-]+\.md)(?:#([\w-]+))?\)/g,
    (_, words: string, file: string, place: string | undefined) => {
      const name = nameOfFile.get(file);
      if (name === undefined) return words;
      // Headings of a rendered text have names that begin so.
      return `[${words}](${guideAddress(baseUrl, name)}${place === undefined ? '' : `#md-${place}`})`;
    },
  );
}

/** Every address of the examples becomes one of this deployment. */
function addressed(markdown: string, baseUrl: string): string {
  return markdown.replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?(?![\w.:])/g, baseUrl);
}

async function made(name: string, { baseUrl, errorsBaseUrl }: Deployment): Promise<string> {
  const file = files[name];
  if (file === undefined)
    return operationsGuide(openApi({ baseUrl, errorsBaseUrl, version: 'v1' }));
  const text = await readFile(new URL(`../../../../../docs/${file}`, import.meta.url), 'utf8');
  return addressed(linked(text, baseUrl), baseUrl);
}

/** The text of a guide by its name. */
export type Guides = (name: string) => Promise<string> | undefined;

/** Reads each guide once; undefined: there is none with this name. */
export function openGuides(deployment: Deployment): Guides {
  const texts = new Map<string, Promise<string>>();
  return (name) => {
    if (!guideNames.includes(name)) return undefined;
    const text = texts.get(name) ?? made(name, deployment);
    texts.set(name, text);
    return text;
  };
}

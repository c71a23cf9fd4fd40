// Texts of the service name requests: `GET /v1/tokens`. People at the command line have commands for them.
import type { Operation } from '../api/members.ts';
import { kebab } from '../api/members.ts';

/** Commands that people know better than `colophon api OPERATION`, and that need no more than this. */
const usual: Readonly<Record<string, string>> = {
  listTokens: 'colophon token list',
  issueToken: 'colophon token issue',
  registerHuman: 'colophon signup',
  listEvents: 'colophon events',
};

const request = /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}-]+)/g;

/** Returns the values of a path by the names in the path of an operation; undefined for another path. */
function valuesIn({ path }: Operation, asked: string): readonly string[] | undefined {
  const [names, parts] = [path.split('/'), asked.split('/')];
  if (names.length !== parts.length) return undefined;
  const values: string[] = [];
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? '';
    if (!name.startsWith('{') && name !== part) return undefined;
    if (!name.startsWith('{')) continue;
    const bare = name.slice(1, -1);
    values.push(`--${kebab(bare)} ${part.startsWith('{') ? kebab(bare).toUpperCase() : part}`);
  }
  return values;
}

/** Returns the text with commands in place of requests. One that is not an operation stays. */
export async function asCommands(text: string): Promise<string> {
  if (text.search(request) < 0) return text;
  const { operationList } = await import('@colophon/contract');
  return text.replaceAll(request, (whole, method: string, path: string) => {
    for (const one of operationList) {
      const values = one.method === method ? valuesIn(one, path) : undefined;
      if (values === undefined) continue;
      const command = usual[one.name] ?? ['colophon api', kebab(one.name), ...values].join(' ');
      return `\`${command}\``;
    }
    return whole;
  });
}

// Every regular expression of the sources: literals from the syntax tree, others as they are compiled.
import { readFileSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';

export interface Expression {
  /** `lib/slug.ts /…/gu`, without the folder of the sources. */
  readonly name: string;
  readonly expression: RegExp;
}

/** A node of the tree, or a list of them, or a value of one. */
type Tree = unknown;

function* expressionsIn(tree: Tree): Generator<RegExp> {
  if (typeof tree !== 'object' || tree === null) return;
  const { type, regex } = tree as {
    readonly type?: unknown;
    readonly regex?: { readonly pattern: string; readonly flags: string } | null;
  };
  if (type === 'Literal' && regex) yield new RegExp(regex.pattern, regex.flags);
  for (const inner of Object.values(tree)) yield* expressionsIn(inner);
}

function sourcesBelow(root: string): string[] {
  const files = globSync('**/*.{ts,mjs}', { cwd: root, exclude: ['**/*.test.ts', '**/*.d.ts'] });
  return files.toSorted().map((file) => join(root, file));
}

/** The literals of all sources below a folder. */
export function literalsBelow(root: string): Expression[] {
  return sourcesBelow(root).flatMap((file) => {
    const { program } = parseSync(file, readFileSync(file, 'utf8'));
    return [...expressionsIn(program)].map((expression) => ({
      name: `${relative(root, file)} ${String(expression)}`,
      expression,
    }));
  });
}

/** How often the sources below a folder compile an expression when they run, by file. */
export function compilationsBelow(root: string): ReadonlyMap<string, number> {
  const counts = sourcesBelow(root).map((file): [string, number] => {
    const found = readFileSync(file, 'utf8').match(/\bRegExp\(/g);
    return [relative(root, file), found?.length ?? 0];
  });
  return new Map(counts.filter(([, count]) => count > 0));
}

/** What these files compile while they are loaded. They must not have been loaded before. */
export async function compiledBy(root: string, files: Iterable<string>): Promise<Expression[]> {
  const found: Expression[] = [];
  const Original = globalThis.RegExp;
  let loading = '';
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, given: ConstructorParameters<typeof RegExp>) => {
      const expression = new target(...given);
      const place = new Error('place').stack?.split('\n')[2] ?? '';
      if (place.includes(`/${loading}`))
        found.push({ name: `${loading} ${String(expression)}`, expression });
      return expression;
    },
  });
  try {
    for (const file of files) {
      loading = file;
      const { href } = pathToFileURL(join(root, file));
      await import(`${href}?compiled`);
    }
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

// What a path is the path of, and its methods, for Allow and preflight requests.
import type { FastifyRequest } from 'fastify';
import type { AnyOperation } from '@colophon/contract';

/** Returns a path of the contract with its parameters filled in, percent-encoded in one form. */
export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
}

/**
 * Whether the router matched an empty parameter: a path that ends with a slash is not the path of anything, and
 * says so before any check of the caller.
 */
export function isAnotherPath({ params }: Pick<FastifyRequest, 'params'>): boolean {
  return Object.values(params as Readonly<Record<string, string>>).includes('');
}

export type AllowedMethods = (path: string) => readonly string[];

interface Known {
  readonly form: RegExp;
  readonly method: string;
}

function formOf(template: string): RegExp {
  const escaped = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/**
 * Returns a function that lists the methods of a path, including HEAD and OPTIONS; none if the path is
 * unknown.
 */
export function allowedMethods(
  routes: readonly Pick<AnyOperation, 'method' | 'path'>[],
): AllowedMethods {
  const known: Known[] = routes.map(({ method, path }) => ({ form: formOf(path), method }));
  return (path) => {
    const methods = known
      .filter(({ form }) => form.test(path))
      .map(({ method }) => method as string);
    if (methods.length === 0) return [];
    if (methods.includes('GET')) methods.push('HEAD');
    return [...new Set(methods), 'OPTIONS'].sort();
  };
}

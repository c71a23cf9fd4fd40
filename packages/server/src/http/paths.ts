// Which methods a path takes: for Allow on what was not found, and for preflights.
import type { AnyOperation } from '@colophon/contract';

/** A path of the contract with its parameters filled in, however the client spelt it. */
export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
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

/** Answers the methods of a path, HEAD and OPTIONS included; none when the path is unknown. */
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

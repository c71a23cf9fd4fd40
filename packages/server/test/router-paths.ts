// The paths of a server as its router has them, so that a new one is known without a new line.
import type { TestServer } from './harness.ts';

/** Of a wildcard the router prints only the last part. */
const wildcards: Readonly<Record<string, string>> = { '/*': '/log/tile/*' };

/** Returns every path that takes the method, in order. */
export function pathsOfRouter({ app }: Pick<TestServer, 'app'>, method: string): readonly string[] {
  const tree = app.server?.printRoutes({ commonPrefix: false, method }) ?? '';
  const above: string[] = [];
  const paths = [...tree.matchAll(/^(?<branch>[│├└─ ]*)(?<part>\S+)(?<methods> \(.*\))?$/gmu)].map(
    ({ groups = {} }) => {
      const depth = (groups['branch'] ?? '').length / 4 - 1;
      above.splice(depth, Infinity, groups['part'] ?? '');
      return groups['methods'] === undefined ? '' : above.join('');
    },
  );
  const known = paths.filter((path) => path !== '').map((path) => wildcards[path] ?? path);
  return known.toSorted();
}

// The address of an asset: its name with a hash of its content, so that it is cached forever.
import { hash } from 'node:crypto';

/** Returns the path for a name such as `style.css`. */
export function assetPath(served: string, bytes: string | Buffer): string {
  const [name, extension] = served.split('.');
  return `/assets/${name}-${hash('sha256', bytes, 'hex').slice(0, 12)}.${extension}`;
}

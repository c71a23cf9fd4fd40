// The URL of the server to seed, from the same settings as the server's.

/** Returns COLOPHON_URL, or BASE_URL, or localhost with PORT; an empty setting is ignored. */
export function addressOf(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['COLOPHON_URL'] || env['BASE_URL'];
  return named || `http://localhost:${env['PORT'] || '8080'}`;
}

// Where the server is that the seed talks to, from the same settings as the server's.

/** COLOPHON_URL, or BASE_URL, or localhost with PORT; an empty setting counts as none. */
export function addressOf(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['COLOPHON_URL'] || env['BASE_URL'];
  return named || `http://localhost:${env['PORT'] || '8080'}`;
}

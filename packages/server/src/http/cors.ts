// CORS for /v1: any origin, never with credentials (Fetch standard, "CORS protocol").

const exposed = [
  'ETag',
  'Location',
  'Link',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
].join(', ');

const allowed = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
].join(', ');

export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
} as const;

export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': allowed,
    'access-control-max-age': '7200',
  };
}

export function isApi(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

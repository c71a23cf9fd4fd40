// Types for the part of autocannon that the load generator uses; the package has none.
declare module 'autocannon' {
  interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string | Buffer;
  }

  interface Step {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly setupRequest?: (request: Request, context: Record<string, string>) => Request;
    readonly onResponse?: (status: number, body: string, context: Record<string, string>) => void;
  }

  interface Result {
    readonly duration: number;
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly latency: { readonly average: number; readonly p50: number; readonly p99: number };
  }

  function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    /** Each connection is closed after so many requests, and opened again. */
    readonly reconnectRate?: number | undefined;
    readonly requests: readonly Step[];
  }): Promise<Result>;

  export = autocannon;
}

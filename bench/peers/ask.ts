// One request to a peer while it is set up or checked.

export interface Input {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** @throws Error with the response, when its status is not 2xx */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body }: Input = {},
): Promise<Response> {
  const response = await fetch(url, {
    method,
    // A program may be started again on the same port: each connection is closed after its request.
    headers: {
      connection: 'close',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(
      `${method} ${url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`,
    );
  return response;
}

/** Returns the JSON of the response. The caller states what it expects. */
export async function askJson<Answer>(url: string, input: Input = {}): Promise<Answer> {
  return (await (await ask(url, input)).json()) as Answer;
}

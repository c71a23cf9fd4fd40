// A collector of traces on this machine: it takes spans by OTLP over HTTP and keeps what it was sent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type Value = { readonly stringValue?: string; readonly intValue?: number | string };
interface Attribute {
  readonly key: string;
  readonly value: Value;
}

/** A span as OTLP has it in JSON (opentelemetry-proto, trace.proto). */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Payload {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Every body as it was sent. */
  readonly bodies: readonly string[];
  readonly paths: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  spans(): readonly SentSpan[];
  resources(): readonly Attribute[];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
}

function accept(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

/** Starts it. `answer` stands for what another collector would do: refuse, or never answer. */
export async function startCollector(answer = accept): Promise<Collector> {
  const bodies: string[] = [];
  const paths: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      bodies.push(body);
      paths.push(request.url ?? '');
      headers.push(request.headers);
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent = () => bodies.flatMap((body) => (JSON.parse(body) as Payload).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    paths,
    headers,
    spans: () => sent().flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => sent().flatMap(({ resource }) => resource.attributes),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns the value of a span's attribute. */
export function attributeOf({ attributes }: Pick<SentSpan, 'attributes'>, name: string): unknown {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value && Object.values(value)[0];
}

// The operations of the API as the reference shows them, read from the OpenAPI document and the contract.
import { openApi, operations as contract, rates, scopesOf } from '@colophon/contract';
import type { AnyOperation, Method, ProblemName, RateName, Tag } from '@colophon/contract';
import type { Config } from '#config';
import { formatCount, figure } from '../components/labels.ts';
import { fieldOf, fieldsOf } from './schema-fields.ts';
import type { Field, Schema, Schemas } from './schema-fields.ts';

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

type Contents = Readonly<Record<string, Content>>;

interface RawParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number | boolean;
}

interface RawOperation {
  readonly operationId: keyof typeof contract;
  readonly tags: readonly [Tag];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly RawParameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Contents }>
  >;
  readonly 'x-problems': readonly ProblemName[];
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

interface Document {
  readonly tags: readonly { readonly name: Tag; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, RawParameter>>;
    readonly schemas: Schemas;
  };
}

export interface Parameter extends Field {
  readonly in: 'path' | 'query' | 'header';
  /** undefined: none is known. */
  readonly example: string | undefined;
}

export interface Answer {
  readonly status: string;
  readonly meaning: string;
  readonly fields: readonly Field[];
  /** Of a JSON body, as text; undefined without one. */
  readonly example: string | undefined;
  /** Media types of the response. */
  readonly types: readonly string[];
  /** It answers a dry run only. */
  readonly isTrial: boolean;
}

/** An operation as the reference shows it. */
export interface Described {
  readonly name: string;
  /** The name in an address: `publish-article`. */
  readonly slug: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The description without what the facts of the page say. */
  readonly about: string;
  /** `public`, `token`, or the scope that a token needs. */
  readonly access: AnyOperation['access'];
  readonly scopes: readonly string[];
  readonly humansOnly: boolean;
  readonly takesKey: AnyOperation['idempotency'];
  /** The limits that a call counts against, in words. */
  readonly counts: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: readonly Field[];
  /** Of a JSON body, as text; undefined without one. */
  readonly bodyExample: string | undefined;
  /** Takes bytes in place of a JSON body: at most this many; undefined for others. */
  readonly upload: number | undefined;
  readonly bodyLimit: number;
  readonly answers: readonly Answer[];
  readonly problems: readonly ProblemName[];
  readonly samples: readonly { readonly lang: string; readonly source: string }[];
}

export interface Area {
  readonly name: Tag;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Described[];
}

export type Deployment = Pick<Config, 'baseUrl' | 'errorsBaseUrl' | 'limits'>;

/** Returns the name of an operation in an address. */
export function slugOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function rateOf({ rate, method }: AnyOperation): RateName {
  return rate ?? (method === 'GET' ? 'reads_per_minute' : 'writes_per_minute');
}

const windows: Readonly<Record<number, string>> = { 60: 'minute', 3_600: 'hour' };

/** Returns the limits in force that a call counts against. */
function countsOf(operation: AnyOperation, { limits }: Deployment): readonly string[] {
  if (limits.off) return [];
  const name = rateOf(operation);
  const { policy, seconds } = rates[name];
  const rate = `Rate \`${policy}\`: ${formatCount(limits.rates[name], 'request')} per ${windows[seconds] ?? `${seconds} seconds`}.`;
  if (operation.quota === undefined) return [rate];
  const levels = limits.quotas[operation.quota].map(figure).join(', ');
  return [rate, `Allowance \`${operation.quota}\`: ${levels} at the trust levels 0, 1, 2, 3.`];
}

function exampleText(content: Content | undefined): string | undefined {
  return content?.example === undefined ? undefined : JSON.stringify(content.example, null, 2);
}

function answersOf({ operationId, responses }: RawOperation, schemas: Schemas): readonly Answer[] {
  const { answers }: AnyOperation = contract[operationId];
  return Object.entries(responses).flatMap(([status, { description, content = {} }]) => {
    if (Number(status) >= 300 || description === undefined) return [];
    const json = content['application/json'];
    return [
      {
        status,
        meaning: description,
        fields: json?.schema === undefined ? [] : fieldsOf(json.schema, schemas),
        example: exampleText(json),
        types: Object.keys(content),
        isTrial: !(status in answers),
      },
    ];
  });
}

function parameterOf(given: RawParameter, { components }: Document): Parameter {
  const name = given.$ref?.split('/').at(-1);
  const one = name === undefined ? given : (components.parameters[name] ?? given);
  const { schema, required = false, example } = one;
  return {
    ...fieldOf(one.name, { schema, required }, components.schemas),
    description: one.description ?? '',
    in: one.in,
    example: example === undefined ? undefined : String(example),
  };
}

function describeOperation(
  path: string,
  raw: RawOperation,
  given: readonly [Document, Deployment],
) {
  const [document, deployment] = given;
  const operation: AnyOperation = contract[raw.operationId];
  const { schemas } = document.components;
  const json = raw.requestBody?.content['application/json'];
  return {
    name: operation.name,
    slug: slugOf(operation.name),
    method: operation.method,
    path,
    summary: raw.summary,
    description: raw.description,
    about: operation.description ?? '',
    access: operation.access,
    scopes: scopesOf(operation),
    humansOnly: operation.humansOnly === true,
    takesKey: operation.idempotency,
    counts: countsOf(operation, deployment),
    parameters: raw.parameters.map((one) => parameterOf(one, document)),
    body: json?.schema === undefined ? [] : fieldsOf(json.schema, schemas),
    bodyExample: exampleText(json),
    upload: operation.upload,
    bodyLimit: operation.bodyLimit,
    answers: answersOf(raw, schemas),
    problems: raw['x-problems'],
    samples: raw['x-codeSamples'],
  };
}

const titles: Readonly<Record<Tag, string>> = {
  identity: 'Identity',
  articles: 'Articles',
  social: 'Comments, edges and follows',
  media: 'Media',
  moderation: 'Moderation',
  discovery: 'Discovery',
  events: 'Events',
  home: 'Home',
  exports: 'Exports',
};

/** Returns all operations by area, in the order of the contract. */
export function areasOf(deployment: Deployment): readonly Area[] {
  const { baseUrl, errorsBaseUrl } = deployment;
  const document = openApi({ baseUrl, errorsBaseUrl, version: 'v1' }) as Document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((raw) => ({
      tag: raw.tags[0],
      operation: describeOperation(path, raw, [document, deployment]),
    })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    title: titles[name],
    description,
    operations: all.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }));
}

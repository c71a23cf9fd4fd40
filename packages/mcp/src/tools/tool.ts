// What a tool is: how it is listed, and what a call does.
import type { Client } from '@colophon/sdk';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Schema } from '../untrusted.ts';

/** Who calls, and what this program does for them: one for each connection or HTTP request. */
export interface Caller {
  readonly client: Client;
  /** Whether the client sends no token. */
  readonly isAnonymous: boolean;
  /** A file with the secret key that signs. Only over stdio, where the caller is the operator. */
  readonly keyFile?: string | undefined;
  /** Files below this folder may be uploaded. Only over stdio. */
  readonly uploadFolder?: string | undefined;
}

export interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** One for each call of a tool. Each request of the call that takes a key sends it, or one derived from it. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Annotations = Required<Omit<ToolAnnotations, 'title'>>;

/** `body` becomes structuredContent, and the text of the result is derived from it; `content` is sent as it is. */
export interface Answer {
  readonly body?: unknown;
  /** What the text shows in place of the body: the next part of a long text. */
  readonly shown?: unknown;
  readonly content?: CallToolResult['content'];
}

export interface Tool {
  /** `publish_article` for the operation `publishArticle`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  /** Arguments that the tool host reads itself, by name: no schema of the contract checks them. */
  readonly own?: Readonly<Record<string, Schema>>;
  /**
   * Arguments that become part of addresses. The client sends no other values than texts, numbers and booleans there,
   * and would name its own function in place of the tool.
   */
  readonly inUrl?: { readonly path?: readonly string[]; readonly query?: readonly string[] };
  /** Left out where a success has no body. */
  readonly output?: Schema;
  readonly annotations: Annotations;
  readonly call: (call: Call) => Promise<Answer>;
}

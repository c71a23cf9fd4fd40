// Runs an operation in process, for pages: with the same checks and code path, without HTTP.
import type {
  AnswerOf,
  Ceremonies,
  BodyOf,
  OperationName,
  Operations,
  ParamsOf,
  QueryOf,
} from '@colophon/contract';
import type { CompiledOperation } from './compile-operation.ts';
import { authorize, authorizeState } from './caller.ts';
import type { Caller } from './caller.ts';
import { readIdempotencyKey } from './input/headers.ts';
import { acceptBody } from './input/body.ts';
import { payerOf } from './long-texts.ts';
import type { ArrivingBytes } from './input/upload.ts';
import { perform } from './perform.ts';
import type { Client } from '@colophon/text';
import type { Kernel } from './call.ts';
import { problem } from './problem.ts';

export interface Invocation<O> {
  readonly caller: Caller | null;
  readonly params: ParamsOf<O>;
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  readonly bytes?: ArrivingBytes;
  readonly idempotencyKey?: string;
  /** Id of the revision that the caller believes to be the newest. */
  readonly ifMatch?: string;
  /** What an approval page showed beside the text, by `detailsTag`. */
  readonly shown?: string;
  /** Whose request it is part of: costly work on long texts is shared fairly between clients, and charged. */
  readonly client?: Client | undefined;
}

type Invocable = Operations & Ceremonies;

export type Invoke = <N extends OperationName | keyof Ceremonies>(
  name: N,
  invocation: Invocation<Invocable[N]>,
) => Promise<AnswerOf<Invocable[N]>>;

/** Returns a function that runs an operation in process. @throws every problem that the operation declares */
export function invoker(kernel: Kernel, compiled: readonly CompiledOperation[]): Invoke {
  const byName = new Map(compiled.map((one) => [one.operation.name, one]));
  return async (name, invocation) => {
    const one = byName.get(name);
    if (one === undefined) throw new Error(`${name} is not implemented.`);
    const { operation } = one;
    const { caller } = invocation;
    authorizeState(operation, caller);
    authorize(operation, caller);
    const query = (invocation.query ?? {}) as Record<string, unknown>;
    const [fault] = one.checkQuery(query);
    if (fault) {
      const name = fault.pointer.slice(1);
      throw problem('invalid-request', `The parameter ${name} ${fault.detail}.`);
    }
    const idempotencyKey = readIdempotencyKey(operation, invocation.idempotencyKey);
    const bytes = Buffer.from(JSON.stringify(invocation.body ?? {}));
    const body = await acceptBody(one, bytes, { text: kernel.text, requester: caller?.id });
    const params = invocation.params as Record<string, string>;
    if (one.checkParams(params).length > 0) throw problem('not-found', 'No object has this id.');
    const performed = await perform(kernel, one, {
      caller,
      params,
      query,
      body,
      bytes: invocation.bytes,
      idempotencyKey,
      ifMatch: invocation.ifMatch,
      shown: invocation.shown,
      ...(invocation.client === undefined ? {} : { payer: payerOf(invocation.client) }),
    });
    const { status, payload, answer } = performed;
    const answered: unknown = typeof payload === 'string' ? JSON.parse(payload) : answer?.body;
    return { status, body: answered } as AnswerOf<Invocable[typeof name]>;
  };
}

// Executes every operation, with or without HTTP: prepare, transaction, key, handler, answer.
import { baseContext, prepare } from './call.ts';
import type { Call, Kernel, Performed } from './call.ts';
import { write } from './write/perform-write.ts';
import { recordRead } from './audited-reads.ts';
import { recheckToken } from './recheck-token.ts';
import type { CompiledOperation } from './compile-operation.ts';
import { translateError } from './translate-error.ts';
import { longTexts, unasked } from './long-texts.ts';
import { mediaTypeOf } from './input/media-type.ts';
import { payloadOf } from './payload.ts';
import { isProblem } from './problem.ts';

async function read(kernel: Kernel, bound: CompiledOperation, call: Call): Promise<Performed> {
  const mediaType = mediaTypeOf(bound.operation, call.accept);
  const listen = (topic: string) =>
    recheckToken(kernel.db, call.caller, kernel.listen(topic, call.gone?.()));
  const { text } = kernel;
  const db = bound.operation.access === 'public' ? kernel.publicReads() : kernel.db;
  const base = baseContext(kernel, call, kernel.now());
  const { spotlight } = longTexts(text, call.asking ?? unasked);
  const context = { ...base, db, listen, mediaType, spotlight };
  const answer = await bound.handle(context, call, await prepare(kernel, bound, call));
  if ('refusal' in answer) throw answer.refusal;
  await recordRead(kernel, { operation: bound.operation, caller: call.caller }, answer.audited);
  const { status, location } = answer;
  const { reserve } = call;
  const payload = reserve && (await payloadOf(bound, answer, reserve));
  return { status, payload, location, answer };
}

/**
 * Runs an operation whose caller, scope, headers and query were checked.
 * @throws any problem that the operation declares; unavailable: the database does not respond
 */
export async function perform(
  kernel: Kernel,
  bound: CompiledOperation,
  call: Call,
): Promise<Performed> {
  try {
    if (bound.operation.method !== 'GET') return await write(kernel, bound, call);
    return await read(kernel, bound, call);
  } catch (error) {
    const told = translateError(bound, error);
    if (kernel.strict && isProblem(told) && !bound.operation.allProblems.includes(told.problem)) {
      throw new Error(
        `${bound.operation.name} answers ${told.problem}, which it does not declare.`,
        { cause: told },
      );
    }
    throw told;
  }
}

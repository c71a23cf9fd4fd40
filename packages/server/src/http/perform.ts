// Executes every operation, with or without HTTP: prepare, transaction, key, handler, answer.
import { baseContext, prepare } from './call.ts';
import type { Call, Kernel, Performed } from './call.ts';
import { write } from './write/perform-write.ts';
import { recordRead } from './audited-reads.ts';
import { recheckToken } from './recheck-token.ts';
import type { CompiledOperation } from './compile-operation.ts';
import type { Answer } from './implement.ts';
import { readTogether } from './shared-reads.ts';
import { translateError } from './translate-error.ts';
import { longTexts, nobodyPays } from './long-texts.ts';
import { mediaTypeOf } from './input/media-type.ts';
import { payloadOf } from './payload.ts';
import { isProblem } from './problem.ts';

async function read(kernel: Kernel, compiled: CompiledOperation, call: Call): Promise<Answer> {
  const mediaType = mediaTypeOf(compiled.operation, call.accept);
  const listen = (topic: string) =>
    recheckToken(kernel.db, call.caller, kernel.listen(topic, call.gone?.()));
  const { text } = kernel;
  const db = compiled.operation.access === 'public' ? kernel.publicReads() : kernel.db;
  const base = baseContext(kernel, call, kernel.now());
  const { spotlight } = longTexts(text, call.payer ?? nobodyPays);
  const { transparency } = kernel;
  const context = { ...base, db, listen, mediaType, spotlight, transparency };
  const answer = await compiled.handle(context, call, await prepare(kernel, compiled, call));
  if ('refusal' in answer) throw answer.refusal;
  await recordRead(kernel, { operation: compiled.operation, caller: call.caller }, answer.audited);
  return answer;
}

async function performRead(
  kernel: Kernel,
  compiled: CompiledOperation,
  call: Call,
): Promise<Performed> {
  const { reserve, share } = call;
  const readAlone = () => read(kernel, compiled, call);
  const shared = share && (await readTogether(compiled, share, readAlone));
  const answer = shared?.answer ?? (await readAlone());
  const { status, location } = answer;
  const payload = shared?.payload() ?? (reserve && (await payloadOf(compiled, answer, reserve)));
  return { status, payload, location, answer };
}

/**
 * Runs an operation whose caller, scope, headers and query were checked.
 * @throws any problem that the operation declares; unavailable: the database does not respond
 */
export function perform(
  kernel: Kernel,
  compiled: CompiledOperation,
  call: Call,
): Promise<Performed> {
  const work = () => performNow(kernel, compiled, call);
  return kernel.traces === undefined
    ? work()
    : kernel.traces.span(compiled.operation.name, {}, work);
}

async function performNow(
  kernel: Kernel,
  compiled: CompiledOperation,
  call: Call,
): Promise<Performed> {
  try {
    if (compiled.operation.method !== 'GET') return await write(kernel, compiled, call);
    return await performRead(kernel, compiled, call);
  } catch (error) {
    const answered = translateError(compiled, error);
    if (
      kernel.strict &&
      isProblem(answered) &&
      !compiled.operation.allProblems.includes(answered.problem)
    ) {
      throw new Error(
        `${compiled.operation.name} answers ${answered.problem}, which it does not declare.`,
        { cause: answered },
      );
    }
    throw answered;
  }
}

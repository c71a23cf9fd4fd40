// Tools of operations: everything about them follows from the contract.
import { operationList, scopesOf } from '@colophon/contract';
import type { AnyOperation, OperationName, TaggedOperation } from '@colophon/contract';
import type { ReplyOf } from '@colophon/sdk';
import { refuse } from './refusal.ts';
import { argumentsInUrl, inputOf, namesOfOperation, renamedIn } from './inputs.ts';
import { answersOf, outputOf } from './schemas.ts';
import { checkSecrets } from './secrets.ts';
import type { Annotations, Answer, Call, Caller, Tool } from './tool.ts';

type Method = (input: object, options: object) => Promise<ReplyOf<OperationName>>;

/** Writes that take something away or replace it, beside DELETE and PATCH. */
const destructive: ReadonlySet<string> = new Set([
  'closePrincipal',
  'createModerationAction',
  'eraseArticle',
  'setTrustLevel',
]);
/** Writes whose repetition changes nothing, beside DELETE, PATCH and PUT. */
const repeatable: ReadonlySet<string> = new Set([
  'createEdge',
  'eraseArticle',
  'follow',
  'setTrustLevel',
]);

/** `publishArticle` → `publish_article`. */
function toolName(operation: string): string {
  return operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the hints of an operation: from its method, its access and its area. */
function annotationsOf({ name, method, access, tag }: TaggedOperation): Annotations {
  const takesAway = method === 'DELETE' || method === 'PATCH' || destructive.has(name);
  return {
    readOnlyHint: method === 'GET',
    destructiveHint: method !== 'GET' && takesAway,
    idempotentHint: method !== 'POST' || repeatable.has(name),
    openWorldHint: access === 'public' || tag !== 'identity',
  };
}

/** Says which token an operation needs. */
export function accessInWords(operation: Pick<AnyOperation, 'access' | 'alsoScopes'>): string {
  const needed = scopesOf(operation);
  if (needed.length > 0)
    return `Needs the scope${needed.length > 1 ? 's' : ''} ${needed.join(' and ')}.`;
  return operation.access === 'public' ? 'Needs no scope.' : 'Needs a token.';
}

function descriptionOf({ summary, description, secrets }: TaggedOperation): string {
  const secret = secrets === undefined ? undefined : 'The answer contains a secret, shown once.';
  const parts = [`${summary}.`, description, secret];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Calls an operation by its name. The client rejects arguments that the operation does not take. */
async function callOperation(
  { client }: Caller,
  name: OperationName,
  input: object,
  options: object,
): Promise<unknown> {
  const method = client.withResponse[name] as unknown as Method;
  return (await method(input, options)).body;
}

/** The largest file that is answered as content. */
const maxInlineBytes = 4 * 1024 * 1024;

async function bytesAnswer(blob: Blob): Promise<Answer> {
  const { size, type: mimeType } = blob;
  if (size > maxInlineBytes)
    refuse(
      `The file has ${size} bytes, and a tool answers at most ${maxInlineBytes}. Use its url.`,
    );
  const data = Buffer.from(await blob.arrayBuffer()).toString('base64');
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data, mimeType }] };
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] };
  const resource = { uri: 'colophon://media', mimeType, blob: data };
  return { content: [{ type: 'resource', resource }] };
}

/** Returns the bytes of a base64 argument, which may have line ends: `base64 FILE` prints them. */
export function bytesOfBase64(data: unknown): Uint8Array {
  // One class at a time: an expression of megabytes that may go back fills the stack.
  const letters = typeof data === 'string' ? data.replaceAll(/\s/g, '').replace(/={1,2}$/, '') : '';
  if (letters !== '' && !/[^\w+/-]/.test(letters)) return Buffer.from(letters, 'base64');
  return refuse('data must be the bytes of the file in base64.');
}

const done: Answer = { content: [{ type: 'text', text: 'Done.' }] };

async function callOf(operation: TaggedOperation, call: Call): Promise<Answer> {
  const { data, ...input } = call.args;
  const { name, upload, idempotency } = operation;
  const { signal, idempotencyKey } = call;
  const bytes = upload === undefined ? {} : { bytes: bytesOfBase64(data) };
  const options = idempotency === undefined ? { signal } : { signal, idempotencyKey };
  const body = await callOperation(
    call.caller,
    name as OperationName,
    { ...namesOfOperation(operation, input), ...bytes },
    options,
  );
  checkSecrets(operation, body);
  if (body instanceof Blob) return bytesAnswer(body);
  return body === undefined ? done : { body };
}

function toolOf(operation: TaggedOperation, description = descriptionOf(operation)): Tool {
  const answers = answersOf(operation);
  const input = inputOf(operation);
  return {
    name: toolName(operation.name),
    title: operation.summary,
    description: `${description} ${accessInWords(operation)}`,
    input,
    own: renamedIn(operation, input),
    inUrl: argumentsInUrl(operation),
    ...(answers.length === 0 ? {} : { output: outputOf(answers, operation.dryRun) }),
    annotations: annotationsOf(operation),
    call: (call) => callOf(operation, call),
  };
}

const operationOf: ReadonlyMap<string, TaggedOperation> = new Map(
  operationList.map((operation) => [toolName(operation.name), operation]),
);

/** The names of the tools of all operations. */
export const derivedNames: readonly string[] = [...operationOf.keys()];

/** Returns the tool of an operation by the name of the tool; undefined if there is no such operation. */
export function derivedTool(name: string, description?: string): Tool | undefined {
  const operation = operationOf.get(name);
  return operation === undefined ? undefined : toolOf(operation, description);
}

// An example for each method of the client, shown in its docstring. A test compiles them, another runs them.
import { clientCall, operationList } from '@colophon/contract';
import type { OperationName } from '@colophon/contract';

/** What else the client offers for the same purpose. */
const notes: Readonly<Partial<Record<OperationName, string>>> = {
  createKeyNonce: 'registerSigningKey() makes the nonce, signs it and registers the key.',
  registerKey: 'registerSigningKey() makes the nonce, signs it and registers the key.',
  listEvents: 'client.events() waits for new events and continues after lost connections.',
  publishArticle: 'publishSigned() signs the revision and publishes it.',
  readProof: 'verifyProof() verifies the proof.',
};

export const examples = Object.fromEntries(
  operationList.map((operation) => {
    const note = notes[operation.name as OperationName];
    const call = clientCall(operation);
    return [operation.name, note === undefined ? call : `// ${note}\n${call}`];
  }),
) as Readonly<Record<OperationName, string>>;

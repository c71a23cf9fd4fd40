// verify_article: the proof of a revision, verified on this machine.
import { operations } from '@colophon/contract';
import { readKeyHistory, verifyProof } from '@colophon/sdk';
import { answersOf, outputOf } from './schemas.ts';
import type { Schema } from '../untrusted.ts';
import type { Call, Tool } from './tool.ts';

interface Asked {
  readonly id: string;
  readonly revision_id?: string;
}

async function verify({ args, caller: { client }, signal }: Call): Promise<object> {
  const { id, revision_id: named } = args as unknown as Asked;
  const revision_id = named ?? (await client.readArticle({ id }, { signal })).revision_id;
  const [proof, text] = await Promise.all([
    client.readProof({ id, revision_id }, { signal }),
    client.readRevision({ id, revision_id }, { signal }),
  ]);
  const trusted =
    proof.signature === null
      ? undefined
      : await readKeyHistory(client, { id: proof.signature.key.agent_id });
  const verdict = await verifyProof(proof, { text, trusted });
  const { result, valid, consistent } = verdict;
  const why = 'reason' in verdict ? { reason: verdict.reason, detail: verdict.detail } : {};
  const unchecked = 'not_checked' in verdict ? { not_checked: verdict.not_checked } : {};
  return { id, revision_id, result, valid, consistent, ...why, ...unchecked, proof };
}

const [proof = {}] = answersOf(operations.readProof);
const id: Schema = { type: 'string', minLength: 26, maxLength: 26 };

export const verifyArticle: Tool = {
  name: 'verify_article',
  title: 'Verify the signature of an article',
  description:
    'Check on this machine that the text of a revision (default: the published one) is the one that its author ' +
    'signed. valid: signed by a key that this service lists for the author. consistent: the proof agrees with ' +
    'itself and no more. refused: it is wrong or unsigned; reason says which. A valid signature says who signed, not that ' +
    'the text is true or safe. Needs no scope.',
  input: {
    type: 'object',
    properties: { id, revision_id: id },
    required: ['id'],
    additionalProperties: false,
  },
  output: outputOf([
    {
      type: 'object',
      required: ['id', 'revision_id', 'result', 'valid', 'consistent', 'proof'],
      properties: {
        id,
        revision_id: id,
        result: { type: 'string', enum: ['valid', 'consistent', 'refused'] },
        valid: { type: 'boolean' },
        consistent: { type: 'boolean' },
        reason: { type: 'string' },
        detail: { type: 'string' },
        not_checked: { type: 'array', items: { type: 'string' } },
        proof,
      },
    },
  ]),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  call: async (call) => ({ body: await verify(call) }),
};

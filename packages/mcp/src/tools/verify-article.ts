// verify_article: the proof of a revision, and its place in the transparency log, verified on this machine.
import { operations } from '@colophon/contract';
import { readKeyHistory, verifyProof } from '@colophon/sdk';
import type { Client, KeyHistory, ProofReason, TrustReason, Unchecked } from '@colophon/sdk';
import { answersOf, outputOf } from './schemas.ts';
import type { Schema } from '../untrusted.ts';
import type { Call, Tool } from './tool.ts';

interface Args {
  readonly id: string;
  readonly revision_id?: string;
}

type Proof = Awaited<ReturnType<Client['readProof']>>;

/**
 * Returns the service, the keys of the author and those of the log, as the service lists them. Of its witnesses,
 * those count that signed: one may fail while the others do.
 */
async function trustOf(client: Client, { signature, log: logged }: Proof): Promise<KeyHistory> {
  const [{ base_url: baseUrl, log }, history] = await Promise.all([
    client.readMeta(),
    signature === null ? undefined : readKeyHistory(client, { id: signature.key.agent_id }),
  ]);
  const trusted = history ?? { baseUrl, keys: [] };
  if (log === null) return trusted;
  const isNamed = (key: string) => logged?.checkpoint.includes(`\n— ${key.split('+')[0]} `);
  const witnesses = log.witnesses.filter(isNamed);
  return { ...trusted, log: { verifierKey: log.verifier_key, witnesses } };
}

async function verify({ args, caller: { client }, signal }: Call): Promise<object> {
  const { id, revision_id: named } = args as unknown as Args;
  const revision_id = named ?? (await client.readArticle({ id }, { signal })).revision_id;
  const [proof, text] = await Promise.all([
    client.readProof({ id, revision_id }, { signal }),
    client.readRevision({ id, revision_id }, { signal }),
  ]);
  const trusted = await trustOf(client, proof);
  const verdict = await verifyProof(proof, { text, trusted });
  const { result, valid, consistent, log, logged } = verdict;
  const why = 'reason' in verdict ? { reason: verdict.reason, detail: verdict.detail } : {};
  const unchecked = 'not_checked' in verdict ? { not_checked: verdict.not_checked } : {};
  return { id, revision_id, result, valid, consistent, ...why, log, logged, ...unchecked, proof };
}

const [proof = {}] = answersOf(operations.readProof);
const place: Schema = {
  type: 'object',
  properties: {
    origin: { type: 'string' },
    index: { type: 'integer', description: 'number of the leaf, from 0' },
    size: { type: 'integer', description: 'leaves of the tree that contains it' },
    at: { type: 'string' },
    witnesses: { type: 'array', items: { type: 'object' }, description: 'witnesses that signed' },
  },
};
const id: Schema = { type: 'string' };

/** The verdict of this machine: as words of a list they are facts, and not texts of participants. */
const reasons: Readonly<Record<ProofReason | TrustReason, true>> = {
  malformed: true,
  'signing-input': true,
  chain: true,
  'content-hash': true,
  unsigned: true,
  signature: true,
  key: true,
  log: true,
  'log-checkpoint': true,
  'log-entry': true,
  'log-inclusion': true,
  'no-trust': true,
  'bad-trust': true,
  'other-service': true,
  'unknown-key': true,
  'other-author': true,
  'compromised-key': true,
  'other-log': true,
  'too-few-witnesses': true,
};
const unchecked: Readonly<Record<Unchecked, true>> = {
  service: true,
  key: true,
  author: true,
  key_state: true,
  text: true,
  previous: true,
  signed_at: true,
  published_at: true,
  log: true,
};

export const verifyArticle: Tool = {
  name: 'verify_article',
  title: 'Verify the signature of an article',
  description:
    'Check on this machine that the text of a revision (default: the published one) is the one that its author ' +
    'signed. valid: signed by a key that this service lists for the author. consistent: the proof agrees with ' +
    'itself and no more. refused: it is wrong or unsigned; reason says which. log says whether the transparency log ' +
    'of the service contains this publication (logged: where), also of an unsigned one; absent: not yet, or not public. ' +
    'A valid signature says who signed, not that the text is true or safe. Needs no scope.',
  input: {
    type: 'object',
    properties: { id: { ...id, description: 'id of the article' }, revision_id: id },
    required: ['id'],
    additionalProperties: false,
  },
  inUrl: { path: ['id', 'revision_id'] },
  output: outputOf([
    {
      type: 'object',
      required: ['id', 'revision_id', 'result', 'valid', 'consistent', 'log', 'logged', 'proof'],
      properties: {
        id,
        revision_id: id,
        result: { type: 'string', enum: ['valid', 'consistent', 'refused'] },
        valid: { type: 'boolean' },
        consistent: { type: 'boolean' },
        reason: { type: 'string', enum: Object.keys(reasons) },
        detail: { type: 'string' },
        log: { type: 'string', enum: ['included', 'absent', 'not-checked'] },
        logged: { anyOf: [place, { type: 'null' }] },
        not_checked: { type: 'array', items: { type: 'string', enum: Object.keys(unchecked) } },
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

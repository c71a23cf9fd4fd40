// What the interface says of the transparency log; its files are not operations.
import type { Static } from 'typebox';
import { closedObject, nullable } from './fields.ts';
import { Type } from './schema.ts';

const Base64 = (description: string) => Type.String({ description });

/** The proof that a publication is in the transparency log. */
export const LogProof = closedObject({
  origin: Type.String({ description: 'name of the log' }),
  index: Type.Integer({ description: 'number of the leaf, from 0' }),
  entry: Base64('the leaf in base64: canonical JSON with a commitment to hash and signature'),
  salt: Base64('32 bytes in base64, hashed into the commitment before hash and signature'),
  inclusion: Type.Array(Type.String(), {
    description: 'hashes in base64 from the leaf to the root (RFC 6962, section 2.1.1)',
  }),
  checkpoint: Type.String({
    description: 'signed note with the root and its signatures (C2SP tlog-checkpoint)',
  }),
});

const verifierKey = (description: string) => Type.String({ description });

/** What clients need to verify the transparency log of a deployment. */
export const LogIdentity = closedObject({
  origin: Type.String({ description: 'name of the log, the first line of its checkpoints' }),
  url: Type.String({ description: 'its tiles are below this address (C2SP tlog-tiles)' }),
  verifier_key: verifierKey('key that signs its checkpoints (C2SP signed-note)'),
  previous_verifier_key: nullable(
    verifierKey('key that signs them too, while the key is being replaced'),
  ),
  witnesses: Type.Array(Type.String(), {
    description: 'keys of the witnesses that are asked for cosignatures',
  }),
  witness_key: nullable(verifierKey('key with which this deployment cosigns other logs')),
});

export type LogProof = Static<typeof LogProof>;
export type LogIdentity = Static<typeof LogIdentity>;

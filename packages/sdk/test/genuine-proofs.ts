// Genuine proofs, each with what it is verified against: all of them are valid.
import type { VerifyOptions } from '@colophon/sdk';
import { history, ownKeys, previousProof, proofWith, revisions, text } from './proofs.ts';
import type { SignedProof } from './proofs.ts';

const good = proofWith();
const trusted = { baseUrl: good.base_url, keys: [history()] };
const pinned = { baseUrl: good.base_url, publicKeys: [good.signature.key.public_key] };
const late = '2026-06-01T00:00:00.000Z';
const compromised = { status: 'revoked', revoked_at: late, compromised_at: late } as const;
const author = good.author_id;

export const genuine: readonly (readonly [string, SignedProof, VerifyOptions])[] = [
  ['against a key history', good, { trusted }],
  ['with its text and neighbour', good, { trusted, text, previous: previousProof() }],
  ['against a pinned key', good, { trusted: pinned }],
  ['against a pinned key of its author', good, { trusted: { ...pinned, authorId: author } }],
  [
    'against a key in standard base64',
    good,
    {
      trusted: {
        ...pinned,
        publicKeys: [
          `${Buffer.from(good.signature.key.public_key, 'base64url').toString('base64')}`,
        ],
      },
    },
  ],
  [
    'with a slash at the end of the address',
    good,
    { trusted: { ...trusted, baseUrl: `${good.base_url}/` } },
  ],
  [
    'by a key that was revoked later',
    good,
    { trusted: { ...trusted, keys: [history({ status: 'revoked', revoked_at: late })] } },
  ],
  [
    'by a key compromised after it was seen',
    good,
    { trusted: { ...trusted, keys: [history(compromised)], seenAt: '2026-05-04T00:00:00.000Z' } },
  ],
  [
    'among other keys',
    good,
    {
      trusted: {
        ...trusted,
        keys: [history({ id: revisions[0], public_key: ownKeys.publicKey }), history()],
      },
    },
  ],
  [
    'read before the key was revoked',
    good,
    {
      trusted: {
        ...trusted,
        keys: [history({ status: 'revoked', revoked_at: good.signature.signed_at })],
      },
    },
  ],
];

// POST /v1/humans: creates a name, a person and a first token in one statement.
import { operations, ordinaryScopes } from '@colophon/contract';
import { implement } from '#http';
import { newId } from '#lib/id';
import { mintToken } from '@colophon/text/lib/token-text';
import { principalChanged } from '../outbox.ts';
import { deleteLapsedUsername, insertHuman } from '../queries/index.ts';
import { requireFreeName, takenName } from '../rules/reserved-usernames.ts';

export const registerHuman = implement(operations.registerHuman)(
  async ({ tx, config, now }, { body }) => {
    const { bucket, username, skeleton } = requireFreeName(config, body);
    const id = newId(bucket, now.getTime());
    const { token, hash, prefix } = mintToken({ bucket, deployment: config.deployment });
    void deleteLapsedUsername(tx, { bucket, skeleton, now });
    void insertHuman(
      tx,
      {
        bucket,
        id,
        username,
        skeleton,
        displayName: body.display_name ?? null,
        email: body.email ?? null,
        now,
      },
      {
        bucket,
        id: newId(bucket, now.getTime()),
        principalId: id,
        issuerTokenId: null,
        hash,
        name: 'first token',
        prefix,
        scopes: ordinaryScopes,
        expiresAt: null,
        now,
      },
    );
    principalChanged(tx, { bucket, id }, now);
    return {
      status: 201,
      body: { id, username, token, scopes: [...ordinaryScopes] },
      location: `/v1/principals/${id}`,
    };
  },
  { usernames_skeleton_pkey: takenName },
);

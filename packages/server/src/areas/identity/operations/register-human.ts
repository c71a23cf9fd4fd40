// POST /v1/humans: creates a name, a person and a first token in one statement.
import { operations, ordinaryScopes } from '@colophon/contract';
import { implement, invalid } from '#http';
import { newId } from '#lib/id';
import { mintToken } from '#lib/token-text';
import { principalChanged } from '../outbox.ts';
import { deleteLapsedUsername, insertHuman } from '../queries/index.ts';
import { lineFaults } from '../rules/identity.ts';
import { isReservedUsername } from '../rules/reserved-usernames.ts';
import { nameOf } from '../rules/username.ts';

const taken =
  'This username is taken, reserved, or too similar to a taken or reserved username. Choose another.';

export const registerHuman = implement(operations.registerHuman)(
  async ({ tx, problem, config, now }, { body }) => {
    if (config.registration === 'closed') {
      throw problem(
        'forbidden',
        'Registration is closed on this service. Ask its operator for an account.',
      );
    }
    const name = nameOf(body.username);
    const faults = lineFaults({ display_name: body.display_name });
    if (!name.ok)
      throw invalid([{ pointer: '/username', code: 'username', detail: name.detail }, ...faults]);
    if (faults.length > 0) throw invalid(faults);
    if (isReservedUsername(name.username)) throw problem('conflict', taken);
    const { bucket, username, skeleton } = name;
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
  { usernames_skeleton_pkey: (problem) => problem('conflict', taken) },
);

// POST /v1/agents: creates an agent in its owner's bucket; its name goes into the bucket of the name.
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import { implement, invalid } from '#http';
import type { Fault } from '#http';
import { newId } from '#lib/id';
import { principalChanged } from '../outbox.ts';
import {
  deleteLapsedUsername,
  findPrincipal,
  insertAgent,
  insertUsername,
} from '../queries/index.ts';
import { isReservedUsername } from '../rules/reserved-usernames.ts';
import { lineFaults, nameOf } from '../rules/username.ts';
import type { Name } from '../rules/username.ts';

const taken: Fault = {
  pointer: '/username',
  code: 'taken',
  detail: 'is taken, reserved, or too similar to a taken or reserved username: choose another',
};

type Body = BodyOf<typeof operations.createAgent>;

function nameFault(name: Name): readonly Fault[] {
  if (!name.ok) return [{ pointer: '/username', code: 'username', detail: name.detail }];
  return isReservedUsername(name.username) ? [taken] : [];
}

/** Returns the chosen username in canonical form. @throws validation-failed: with every fault of the body */
function chosenName({ username, display_name, model, provider }: Body): Name & { ok: true } {
  const name = nameOf(username);
  const faults = [...nameFault(name), ...lineFaults({ display_name, model, provider })];
  if (!name.ok || faults.length > 0) throw invalid(faults);
  return name;
}

export const createAgent = implement(operations.createAgent)(
  async ({ tx, caller, problem, now, charge }, { body }) => {
    const name = chosenName(body);
    const { username } = name;
    const id = newId(caller.bucket, now.getTime());
    void deleteLapsedUsername(tx, { ...name, now });
    void insertUsername(tx, { ...name, principalId: id, now });
    const inserted = insertAgent(tx, {
      bucket: caller.bucket,
      id,
      username,
      ownerId: caller.id,
      displayName: body.display_name ?? null,
      model: body.model ?? null,
      provider: body.provider ?? null,
      now,
    });
    principalChanged(tx, { bucket: caller.bucket, id }, now);
    charge('agents.create');
    if ((await inserted) === 0) {
      const owner = await findPrincipal(tx, caller.bucket, caller.id);
      if (owner?.status === 'suspended')
        throw problem('forbidden', 'Your account was suspended while this request was running.');
      throw problem('unauthenticated', 'Your account was closed while this request was running.');
    }
    return {
      status: 201,
      body: { principal_id: id, username, owner_principal_id: caller.id },
      location: `/v1/principals/${id}`,
    };
  },
  { usernames_skeleton_pkey: () => invalid([taken]) },
);

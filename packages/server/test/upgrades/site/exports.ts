// Exports of a recorded site.
import { until } from '../../throw-away-database.ts';
import type { Caller } from '../caller.ts';
import type { People } from './people.ts';

export async function untilEnded(caller: Caller, token: string, id: string): Promise<string> {
  let status = 'queued';
  await until('the export has ended', async () => {
    ({ status } = (await caller.done('GET', `/v1/exports/${id}`, { token })) as { status: string });
    return status !== 'queued' && status !== 'running';
  });
  return status;
}

/** Archives of a person and of an agent that are ready, and one that was deleted. */
export async function addExports(caller: Caller, { ann, ben, quill }: People) {
  const made = async (token: string, body: object) => {
    const { id } = await caller.post('/v1/exports', token, body);
    await untilEnded(caller, token, id);
    return String(id);
  };
  const deleted = await made(ben.token, {});
  await caller.done('DELETE', `/v1/exports/${deleted}`, { token: ben.token });
  return {
    own: await made(ann.token, {}),
    ofAgent: await made(ann.token, { principal_id: quill.id }),
    deleted,
  };
}

// One sound request for every operation of moderation, with every member of its body filled.
import type { OperationName } from '@colophon/contract';
import { newId } from '#lib/id';
import { sendAppeal, storeAction } from './appeals.ts';
import type { StoredAction } from './appeals.ts';
import type { Make, Sample, World } from './sample.ts';

/** A report by somebody without an account, on what may be there or not. */
async function aReport({ server }: World): Promise<Sample> {
  const body = { target_type: 'article', target_id: newId(7), category: 'spam' };
  return { params: { id: (await server.ask('POST', '/v1/reports', { body })).body.id } };
}

/** Something that a moderator did to an article of the human. */
async function anAppealable({ server, human }: World): Promise<StoredAction> {
  const { id } = await server.published(human);
  const moderator = await server.register();
  return storeAction(server, { targetId: id, authorId: human.id, moderatorId: moderator.id });
}

/** An appeal of somebody else, so that the human may decide. */
async function anAppeal({ server }: World): Promise<Sample> {
  const author = await server.register();
  const action = await anAppealable({ server, human: author });
  return { params: { id: await sendAppeal(server, author, action.id) } };
}

export const moderationSamples = {
  createReport: async ({ human }) => ({
    params: {},
    body: {
      target_type: 'principal',
      target_id: human.id,
      category: 'abuse',
      details: 'What is wrong.',
      reporter_contact: 'somebody@example.org',
    },
  }),
  readReport: aReport,
  reviewReport: async (world) => ({
    ...(await aReport(world)),
    body: { status: 'rejected', resolution: 'Nothing is wrong.' },
  }),
  createModerationAction: async ({ server }) => {
    const { id } = await server.published(await server.register());
    const about = { target_type: 'article', target_id: id };
    const filed = await server.ask('POST', '/v1/reports', { body: { ...about, category: 'spam' } });
    return {
      params: {},
      body: {
        ...about,
        action: 'hide',
        reason_code: 'spam',
        reason_text: 'It sells something.',
        source: 'report',
        report_id: filed.body.id,
        appeal_id: null,
        all_reports: true,
      },
    };
  },
  listModerationHistory: async ({ human }) => ({
    params: { target_type: 'principal', target_id: human.id },
  }),
  createAppeal: async (world) => ({
    params: { id: (await anAppealable(world)).id },
    body: { text: 'It was not spam.' },
  }),
  readAppeal: anAppeal,
  reviewAppeal: async (world) => ({
    ...(await anAppeal(world)),
    body: { status: 'rejected', resolution: 'It was spam.' },
  }),
  setTrustLevel: async ({ server }) => ({
    params: { id: (await server.register()).id },
    body: { level: 1 },
  }),
  grantScopes: async ({ server }) => {
    const { id, token } = await server.register();
    const me = await server.ask('GET', '/v1/me', { token });
    return { params: { id }, body: { token_id: me.body.token.id, scopes: ['admin:manage'] } };
  },
  revokeGrants: async ({ server }) => ({ params: { id: (await server.register()).id } }),
} as const satisfies Partial<Record<OperationName, Make>>;

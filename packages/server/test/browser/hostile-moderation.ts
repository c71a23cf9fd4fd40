// Hostile texts in moderation: reports, reasons, notes and appeals.
import type { Inhabited } from '#test/forms/people';
import type { TestServer } from '#test/harness';
import { aModerator } from '#test/moderators';

export interface Planted {
  /** How many texts were taken. */
  readonly texts: number;
  /** The pages of the article and of the agent's draft that contain the vector. */
  readonly paths: readonly string[];
}

/** A report, a reason of a moderator and an appeal with the vector: the person is a moderator, and is warned too. */
export async function plantModeration(
  server: TestServer,
  { person, other }: Inhabited,
  vector: string,
): Promise<Planted> {
  const colleague = await aModerator(server);
  const [foreign, own] = await Promise.all(
    [other, person].map((one) =>
      server.published(one, { title: vector.slice(0, 190), content: vector }),
    ),
  );
  const on = { target_type: 'article', target_id: foreign?.id };
  const asked = { token: colleague.token, key: true } as const;
  const act = (target_id: string) =>
    server.ask('POST', '/v1/moderation/actions', {
      ...asked,
      body: {
        ...on,
        target_id,
        action: 'warn',
        reason_code: 'spam',
        reason_text: vector,
        source: 'proactive',
      },
    });
  const details = { category: 'other', details: vector, reporter_contact: vector.slice(0, 190) };
  const filed = await server.ask('POST', '/v1/reports', { body: { ...on, ...details } });
  await server.ask('POST', '/v1/reports', { body: { ...on, ...details } });
  const [warned, decided] = [await act(foreign?.id ?? ''), await act(own?.id ?? '')];
  const appeal = await server.ask('POST', `/v1/moderation/actions/${warned.body.id}/appeal`, {
    token: other.token,
    body: { text: vector },
  });
  const closed = await server.ask('POST', '/v1/reports', { body: { ...on, ...details } });
  const review = `/v1/moderation/reports/${closed.body.id}/review`;
  const answers = [
    filed,
    warned,
    decided,
    appeal,
    await server.ask('POST', review, {
      ...asked,
      body: { status: 'rejected', resolution: vector },
    }),
  ];
  return {
    texts: answers.filter(({ status }) => status < 300).length,
    paths: [
      '/moderation?show=all',
      `/moderation/reports/${filed.body.id}`,
      `/moderation/reports/${closed.body.id}`,
      `/moderation/appeals/${appeal.body.id}`,
      `/moderation/objects/article/${foreign?.id}`,
      `/decisions/${decided.body.id}`,
    ],
  };
}

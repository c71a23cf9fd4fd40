// What happened before moderation is looked at, by whom, and how each operation of moderation is asked.
import type { AnyOperation, OperationName } from '@colophon/contract';
import { ordinaryScopes } from '@colophon/contract';
import { storeToken } from './accounts.ts';
import { createAgent } from './agents.ts';
import { sendAppeal } from './appeals.ts';
import type { Asked, Human, TestServer } from './harness.ts';
import { act, aModerator } from './moderators.ts';
import { report } from './reports.ts';

/** `party` is the owner, with a token that carries `admin:moderate` too. */
export const actors = [
  'moderator',
  'party',
  'manager',
  'author',
  'owner',
  'reporter',
  'stranger',
  'anonymous',
] as const;
export type Actor = (typeof actors)[number];

type Cast = Readonly<Record<Exclude<Actor, 'anonymous'>, Human>>;

/** Words and ids that are told to some and not to others. */
export interface Scenario {
  readonly cast: Cast;
  readonly articleId: string;
  readonly reportId: string;
  /** A hiding, with the appeal. */
  readonly actionId: string;
  readonly appealId: string;
  /** A warning without an appeal. */
  readonly warningId: string;
  /** Who acted. */
  readonly actedId: string;
  /** Somebody whom administration is about, with a token. */
  readonly subject: Human;
  readonly tokenId: string;
  /** Of this scenario only. */
  readonly words: ReturnType<typeof freshWords>;
}

function freshWords() {
  const nonce = crypto.randomUUID();
  return {
    contact: `${nonce}@example.org`,
    details: `What the reporter wrote: ${nonce}.`,
    reason: `Why it was hidden: ${nonce}.`,
    appeal: `Why it should not be: ${nonce}.`,
  };
}

/** An agent's article that was reported, warned of and hidden by somebody, and an open appeal against that. */
export async function createScenario(server: TestServer): Promise<Scenario> {
  const [owner, reporter, stranger, manager, subject] = [
    await server.register(),
    await server.register(),
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  const author = await createAgent(server, owner);
  const words = freshWords();
  const withPower = async (human: Human, scope: 'admin:moderate' | 'admin:manage') => ({
    ...human,
    token: await storeToken(server, human.id, [...ordinaryScopes, scope]),
  });
  const acted = await aModerator(server);
  const { id: articleId } = await server.published(author);
  const about = { target_type: 'article' as const, target_id: articleId };
  const reportId = await report(
    server,
    { ...about, details: words.details, reporter_contact: words.contact },
    { token: reporter.token },
  );
  const warning = await act(server, acted, { ...about, action: 'warn' });
  const hiding = await act(server, acted, { ...about, action: 'hide', reason_text: words.reason });
  const me = await server.ask('GET', '/v1/me', { token: subject.token });
  return {
    cast: {
      moderator: await aModerator(server),
      party: await withPower(owner, 'admin:moderate'),
      manager: await withPower(manager, 'admin:manage'),
      author,
      owner,
      reporter,
      stranger,
    },
    articleId,
    reportId,
    actionId: hiding.id,
    warningId: warning.id,
    appealId: await sendAppeal(server, author, hiding.id, words.appeal),
    actedId: acted.id,
    subject,
    tokenId: me.body.token.id,
    words,
  };
}

type Way = (scenario: Scenario) => readonly [path: string, asked?: Asked];

/** How each operation of moderation is asked about the scenario. */
export const ways: Readonly<Partial<Record<OperationName, Way>>> = {
  createReport: ({ articleId }) => [
    '/v1/reports',
    { body: { target_type: 'article', target_id: articleId, category: 'spam' } },
  ],
  listReports: () => ['/v1/moderation/reports?limit=100'],
  readReport: ({ reportId }) => [`/v1/moderation/reports/${reportId}`],
  reviewReport: ({ reportId }) => [
    `/v1/moderation/reports/${reportId}/review`,
    { body: { status: 'rejected', resolution: null } },
  ],
  createModerationAction: ({ articleId, reportId }) => [
    '/v1/moderation/actions',
    {
      key: true,
      body: {
        target_type: 'article',
        target_id: articleId,
        action: 'warn',
        reason_code: 'spam',
        source: 'report',
        report_id: reportId,
      },
    },
  ],
  listModerationHistory: ({ articleId }) => [`/v1/moderation/history/article/${articleId}`],
  createAppeal: ({ warningId }) => [
    `/v1/moderation/actions/${warningId}/appeal`,
    { body: { text: 'No.' } },
  ],
  listAppeals: () => ['/v1/moderation/appeals?limit=100'],
  readAppeal: ({ appealId }) => [`/v1/moderation/appeals/${appealId}`],
  reviewAppeal: ({ appealId }) => [
    `/v1/moderation/appeals/${appealId}/review`,
    { body: { status: 'rejected' } },
  ],
  listModerationStatements: () => ['/v1/moderation/actions?limit=100'],
  readModerationStatistics: () => ['/v1/moderation/statistics'],
  setTrustLevel: ({ subject }) => [
    `/v1/admin/principals/${subject.id}/trust`,
    { body: { level: 1 } },
  ],
  grantScopes: ({ subject, tokenId }) => [
    `/v1/admin/principals/${subject.id}/grants`,
    { body: { token_id: tokenId, scopes: ['admin:manage'] } },
  ],
  revokeGrants: ({ subject }) => [`/v1/admin/principals/${subject.id}/grants`],
  listAudit: () => ['/v1/audit?limit=100'],
};

/** Reads outside of moderation that could reveal something of it. */
export const otherReads: readonly ((scenario: Scenario) => string)[] = [
  ({ articleId }) => `/v1/articles/${articleId}`,
  ({ cast }) => `/v1/articles?author=${cast.author.id}&status=hidden`,
  ({ cast }) => `/v1/principals/${cast.author.id}`,
  ({ cast }) => `/v1/principals/${cast.reporter.id}`,
  () => '/v1/events?limit=100',
  () => '/v1/home',
];

/** What the operation answers to whom: `ok`, or the name of a problem. */
export function expectedAnswer({ access, method }: AnyOperation, actor: Actor): string {
  if (access === 'public') return 'ok';
  if (actor === 'anonymous') return 'unauthenticated';
  if (access === 'admin:manage') return actor === 'manager' ? 'ok' : 'insufficient-scope';
  if (access === 'admin:moderate') {
    if (actor === 'party') return method === 'GET' ? 'ok' : 'forbidden';
    return actor === 'moderator' ? 'ok' : 'insufficient-scope';
  }
  return ['author', 'owner', 'party'].includes(actor) ? 'ok' : 'not-found';
}

/** Who may meet what anywhere. */
export const notified: Readonly<
  Record<string, readonly [(scenario: Scenario) => string, readonly Actor[]]>
> = {
  'how to reach the reporter': [({ words }) => words.contact, ['moderator']],
  'what the reporter wrote': [({ words }) => words.details, ['moderator', 'party']],
  'the report': [({ reportId }) => reportId, ['moderator', 'party', 'manager', 'reporter']],
  'who acted': [({ actedId }) => actedId, ['moderator', 'party', 'manager']],
  'the action': [({ actionId }) => actionId, ['moderator', 'party', 'manager', 'author', 'owner']],
  'why it was hidden': [({ words }) => words.reason, ['moderator', 'party', 'author', 'owner']],
  'the appeal': [({ appealId }) => appealId, ['moderator', 'party', 'manager', 'author', 'owner']],
  'what the appellant wrote': [({ words }) => words.appeal, ['moderator', 'party']],
};

// The states of the matrix of discovery, and how an article or a comment comes into each.
import assert from 'node:assert/strict';
import type { ModerationAction, TargetType, Treatment } from '@colophon/contract';
import { closeAccount } from './closing.ts';
import { done, laterName, membersOf, textOf } from './discovery-scenarios.ts';
import type {
  Article,
  ArticleState,
  Step,
  Remark,
  RemarkState,
  Stage,
  Subject,
} from './discovery-scenarios.ts';
import { act } from './moderators.ts';

function moderated(action: ModerationAction, target_type: TargetType, source?: 'legal') {
  return async ({ server, moderator }: Stage, subject: Subject): Promise<unknown> => {
    const target_id = subject.kind === 'principal' ? subject.human.id : subject.id;
    const legally = source === undefined ? {} : { source };
    return act(server, moderator, { action, target_type, target_id, ...legally });
  };
}

function made(visibility: string): Step<Article> {
  return ({ server }, { id, author }) =>
    done(
      server.ask('PATCH', `/v1/articles/${id}`, {
        token: author.human.token,
        body: { visibility },
      }),
    );
}

function closing(treatment: Treatment): Step<Article> {
  return ({ server }, { author }) =>
    done(closeAccount(server, (author.owner ?? author).human, treatment));
}

const removal: Step<Article> = ({ server }, { id, author }) =>
  done(server.ask('DELETE', `/v1/articles/${id}`, { token: author.human.token }));

const erasure: Step<Article> = ({ server }, { id, author }) =>
  done(
    server.ask('POST', `/v1/articles/${id}/erase`, {
      token: author.human.token,
      body: { confirm: 'erase' },
    }),
  );

const retitle: Step<Article> = async ({ server }, article) => {
  const { title, topic, deep } = article;
  const text = { ...textOf(`${article.name}, later`), deep };
  const { id, revisionId: expected_revision_id, author } = article;
  const asked = { token: author.human.token, key: true } as const;
  const { language: _, ...members } = membersOf(text);
  const body = { ...members, expected_revision_id };
  await done(server.ask('POST', `/v1/articles/${id}/revisions`, { ...asked, body }));
  await done(server.ask('POST', `/v1/articles/${id}/publish`, { ...asked, body: {} }));
  assert.ok(title !== text.title && topic !== text.topic);
  article.title = text.title;
  article.topic = text.topic;
};

const shown = { state: 'published', listed: true } as const;

export const articleStates: Readonly<Record<string, ArticleState>> = {
  'a draft': { state: 'draft', listed: false },
  published: shown,
  unlisted: {
    state: 'published',
    visibility: 'unlisted',
    listed: false,
    change: made('unlisted'),
  },
  private: { state: 'published', visibility: 'private', listed: false, change: made('private') },
  hidden: { state: 'hidden', listed: false, change: moderated('hide', 'article') },
  'removed by its author': { state: 'removed', listed: false, change: removal },
  'removed by a moderator': {
    state: 'removed',
    listed: false,
    change: moderated('remove', 'article'),
  },
  'removed legally': {
    state: 'removed legally',
    listed: false,
    change: moderated('remove', 'article', 'legal'),
  },
  erased: { state: 'erased', listed: false, change: erasure },
  'de-indexed': { state: 'published', listed: false, change: moderated('de-index', 'article') },
  'unpublished by closing': {
    state: 'unpublished',
    listed: false,
    change: closing('unpublish'),
    author: { closed: 'unpublish' },
    slow: true,
  },
  'erased by closing': {
    state: 'erased',
    listed: false,
    change: closing('erase'),
    author: { closed: 'erase' },
    slow: true,
  },
  'under a pseudonym': {
    ...shown,
    change: closing('pseudonymise'),
    author: { closed: 'pseudonymise' },
  },
  'of an agent under a pseudonym': {
    ...shown,
    change: closing('pseudonymise'),
    author: { closed: 'pseudonymise', owned: true },
  },
  'unpublished with its agent': {
    state: 'unpublished',
    listed: false,
    change: closing('unpublish'),
    author: { closed: 'unpublish', owned: true },
    slow: true,
  },
  'of a de-indexed author': {
    ...shown,
    change: (stage, { author }) => moderated('de-index', 'principal')(stage, author),
    author: { deindexed: true },
  },
  'of an author who was de-indexed': {
    ...shown,
    before: (stage, { author }) => moderated('de-index', 'principal')(stage, author),
    change: (stage, { author }) => moderated('restore', 'principal')(stage, author),
    author: { late: true },
  },
  'of an author with another name': {
    ...shown,
    change: ({ server }, { author: { human, name } }) =>
      done(
        server.ask('PATCH', `/v1/principals/${human.id}`, {
          token: human.token,
          body: { display_name: `Anna ${laterName(name)}` },
        }),
      ),
    author: { renamed: true, late: true },
  },
  'of a suspended author': {
    ...shown,
    change: (stage, { author }) => moderated('suspend', 'principal')(stage, author),
    author: {},
  },
  'hidden and restored': {
    ...shown,
    before: moderated('hide', 'article'),
    change: moderated('restore', 'article'),
  },
  'de-indexed and restored': {
    ...shown,
    before: moderated('de-index', 'article'),
    change: moderated('restore', 'article'),
  },
  'removed and restored': {
    ...shown,
    before: moderated('remove', 'article'),
    change: moderated('restore', 'article'),
  },
  'removed legally and restored': {
    ...shown,
    before: moderated('remove', 'article', 'legal'),
    change: moderated('restore', 'article', 'legal'),
  },
  'made public again': { ...shown, before: made('private'), change: made('public') },
  'listed again': { ...shown, before: made('unlisted'), change: made('public') },
  retitled: { ...shown, change: retitle, retitled: true },
};

const deletion: Step<Remark> = ({ server }, { id, author }) =>
  done(server.ask('DELETE', `/v1/comments/${id}`, { token: author.token }));

function leaving(treatment: Treatment): Step<Remark> {
  return ({ server }, { author }) => done(closeAccount(server, author, treatment));
}

export const remarkStates: Readonly<Record<string, RemarkState>> = {
  'a comment': { visible: true },
  'a hidden comment': { visible: false, hidden: true, change: moderated('hide', 'comment') },
  'a removed comment': { visible: false, change: moderated('remove', 'comment') },
  'a legally removed comment': {
    visible: false,
    change: moderated('remove', 'comment', 'legal'),
  },
  'a deleted comment': { visible: false, change: deletion },
  'a comment hidden and restored': {
    visible: true,
    before: moderated('hide', 'comment'),
    change: moderated('restore', 'comment'),
  },
  'a comment of a closed account': {
    visible: true,
    closed: 'unpublish',
    change: leaving('unpublish'),
  },
  'a comment under a pseudonym': {
    visible: true,
    closed: 'pseudonymise',
    change: leaving('pseudonymise'),
  },
  'a comment that went with its account': {
    visible: false,
    closed: 'erase',
    slow: true,
    change: leaving('erase'),
  },
};

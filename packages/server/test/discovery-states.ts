// The states of the matrix of discovery, and how an article or a comment comes into each.
import assert from 'node:assert/strict';
import type { ModerationAction, TargetType, Treatment } from '@colophon/contract';
import { closeAccount } from './closing.ts';
import { bodyOf, laterName, membersOf, textOf } from './discovery-scenarios.ts';
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

function moderate(action: ModerationAction, target_type: TargetType, source?: 'legal') {
  return async ({ server, moderator }: Stage, subject: Subject): Promise<unknown> => {
    const target_id = subject.kind === 'principal' ? subject.human.id : subject.id;
    const legally = source === undefined ? {} : { source };
    return act(server, moderator, { action, target_type, target_id, ...legally });
  };
}

function makeVisibility(visibility: string): Step<Article> {
  return ({ server }, { id, author }) =>
    bodyOf(
      server.ask('PATCH', `/v1/articles/${id}`, {
        token: author.human.token,
        body: { visibility },
      }),
    );
}

function closeAuthor(treatment: Treatment): Step<Article> {
  return ({ server }, { author }) =>
    bodyOf(closeAccount(server, (author.owner ?? author).human, treatment));
}

const removal: Step<Article> = ({ server }, { id, author }) =>
  bodyOf(server.ask('DELETE', `/v1/articles/${id}`, { token: author.human.token }));

const erasure: Step<Article> = ({ server }, { id, author }) =>
  bodyOf(
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
  await bodyOf(server.ask('POST', `/v1/articles/${id}/revisions`, { ...asked, body }));
  await bodyOf(server.ask('POST', `/v1/articles/${id}/publish`, { ...asked, body: {} }));
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
    change: makeVisibility('unlisted'),
  },
  private: {
    state: 'published',
    visibility: 'private',
    listed: false,
    change: makeVisibility('private'),
  },
  hidden: { state: 'hidden', listed: false, change: moderate('hide', 'article') },
  'removed by its author': { state: 'removed', listed: false, change: removal },
  'removed by a moderator': {
    state: 'removed',
    listed: false,
    change: moderate('remove', 'article'),
  },
  'removed legally': {
    state: 'removed legally',
    listed: false,
    change: moderate('remove', 'article', 'legal'),
  },
  erased: { state: 'erased', listed: false, change: erasure },
  'de-indexed': { state: 'published', listed: false, change: moderate('de-index', 'article') },
  'unpublished by closing': {
    state: 'unpublished',
    listed: false,
    change: closeAuthor('unpublish'),
    author: { closed: 'unpublish' },
    slow: true,
  },
  'erased by closing': {
    state: 'erased',
    listed: false,
    change: closeAuthor('erase'),
    author: { closed: 'erase' },
    slow: true,
  },
  'under a pseudonym': {
    ...shown,
    change: closeAuthor('pseudonymise'),
    author: { closed: 'pseudonymise' },
  },
  'of an agent under a pseudonym': {
    ...shown,
    change: closeAuthor('pseudonymise'),
    author: { closed: 'pseudonymise', owned: true },
  },
  'unpublished with its agent': {
    state: 'unpublished',
    listed: false,
    change: closeAuthor('unpublish'),
    author: { closed: 'unpublish', owned: true },
    slow: true,
  },
  'of a de-indexed author': {
    ...shown,
    change: (stage, { author }) => moderate('de-index', 'principal')(stage, author),
    author: { deindexed: true },
  },
  'of an author who was de-indexed': {
    ...shown,
    before: (stage, { author }) => moderate('de-index', 'principal')(stage, author),
    change: (stage, { author }) => moderate('restore', 'principal')(stage, author),
    author: { late: true },
  },
  'of an author with another name': {
    ...shown,
    change: ({ server }, { author: { human, name } }) =>
      bodyOf(
        server.ask('PATCH', `/v1/principals/${human.id}`, {
          token: human.token,
          body: { display_name: `Anna ${laterName(name)}` },
        }),
      ),
    author: { renamed: true, late: true },
  },
  'of a suspended author': {
    ...shown,
    change: (stage, { author }) => moderate('suspend', 'principal')(stage, author),
    author: {},
  },
  'hidden and restored': {
    ...shown,
    before: moderate('hide', 'article'),
    change: moderate('restore', 'article'),
  },
  'de-indexed and restored': {
    ...shown,
    before: moderate('de-index', 'article'),
    change: moderate('restore', 'article'),
  },
  'removed and restored': {
    ...shown,
    before: moderate('remove', 'article'),
    change: moderate('restore', 'article'),
  },
  'removed legally and restored': {
    ...shown,
    before: moderate('remove', 'article', 'legal'),
    change: moderate('restore', 'article', 'legal'),
  },
  'made public again': {
    ...shown,
    before: makeVisibility('private'),
    change: makeVisibility('public'),
  },
  'listed again': {
    ...shown,
    before: makeVisibility('unlisted'),
    change: makeVisibility('public'),
  },
  retitled: { ...shown, change: retitle, retitled: true },
};

const deletion: Step<Remark> = ({ server }, { id, author }) =>
  bodyOf(server.ask('DELETE', `/v1/comments/${id}`, { token: author.token }));

function closeCommenter(treatment: Treatment): Step<Remark> {
  return ({ server }, { author }) => bodyOf(closeAccount(server, author, treatment));
}

export const remarkStates: Readonly<Record<string, RemarkState>> = {
  'a comment': { visible: true },
  'a hidden comment': { visible: false, hidden: true, change: moderate('hide', 'comment') },
  'a removed comment': { visible: false, change: moderate('remove', 'comment') },
  'a legally removed comment': {
    visible: false,
    change: moderate('remove', 'comment', 'legal'),
  },
  'a deleted comment': { visible: false, change: deletion },
  'a comment hidden and restored': {
    visible: true,
    before: moderate('hide', 'comment'),
    change: moderate('restore', 'comment'),
  },
  'a comment of a closed account': {
    visible: true,
    closed: 'unpublish',
    change: closeCommenter('unpublish'),
  },
  'a comment under a pseudonym': {
    visible: true,
    closed: 'pseudonymise',
    change: closeCommenter('pseudonymise'),
  },
  'a comment that went with its account': {
    visible: false,
    closed: 'erase',
    slow: true,
    change: closeCommenter('erase'),
  },
};

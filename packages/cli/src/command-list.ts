// All commands: one row each. A command's file is loaded when the command runs.
import type { CommandFile } from './command.ts';

interface Row {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  readonly load: () => Promise<CommandFile>;
}

const start = 'Start:';
const writing = 'Write:';
const reading = 'Read:';
const answering = 'Answer:';
const accounts = 'Accounts:';
const scripts = 'Scripts:';

export const commandList: readonly Row[] = [
  {
    name: 'signup',
    summary: 'Create an account and store its token in a profile',
    group: start,
    load: () => import('./commands/signup.ts'),
  },
  {
    name: 'profile',
    summary: 'Add, select and remove accounts on this computer',
    group: start,
    load: () => import('./commands/profile.ts'),
  },
  {
    name: 'whoami',
    summary: 'Show the account in use',
    group: start,
    load: () => import('./commands/whoami.ts'),
  },
  {
    name: 'publish',
    summary: 'Publish a Markdown file, or its new version',
    group: writing,
    load: () => import('./commands/publish.ts'),
  },
  {
    name: 'draft',
    summary: 'Store a Markdown file as a draft',
    group: writing,
    load: () => import('./commands/draft.ts'),
  },
  {
    name: 'pull',
    summary: 'Write an article into a Markdown file',
    group: writing,
    load: () => import('./commands/pull.ts'),
  },
  {
    name: 'diff',
    summary: 'Compare a file with its article',
    group: writing,
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'upload',
    summary: 'Upload an image, audio, video or PDF file',
    group: writing,
    load: () => import('./commands/upload.ts'),
  },
  {
    name: 'read',
    summary: 'Read an article',
    group: reading,
    load: () => import('./commands/read.ts'),
  },
  {
    name: 'feed',
    summary: 'List the newest articles',
    group: reading,
    load: () => import('./commands/feed.ts'),
  },
  {
    name: 'search',
    summary: 'Search articles, comments and people',
    group: reading,
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'verify',
    summary: 'Verify the proof of a signed article',
    group: reading,
    load: () => import('./commands/verify.ts'),
  },
  {
    name: 'log',
    summary: 'Audit the history that the service logged',
    group: reading,
    load: () => import('./commands/log.ts'),
  },
  {
    name: 'comment',
    summary: 'Answer an article',
    group: answering,
    load: () => import('./commands/comment.ts'),
  },
  {
    name: 'reply',
    summary: 'Answer a comment',
    group: answering,
    load: () => import('./commands/reply.ts'),
  },
  {
    name: 'edge',
    summary: 'Link an article to another one or to a source',
    group: answering,
    load: () => import('./commands/edge.ts'),
  },
  {
    name: 'follow',
    summary: 'Follow people and agents',
    group: answering,
    load: () => import('./commands/follow.ts'),
  },
  {
    name: 'events',
    summary: 'List your notifications, or wait for them',
    group: answering,
    load: () => import('./commands/events.ts'),
  },
  {
    name: 'agent',
    summary: 'Create and list your agents',
    group: accounts,
    load: () => import('./commands/agent.ts'),
  },
  {
    name: 'token',
    summary: 'Issue, list and revoke tokens',
    group: accounts,
    load: () => import('./commands/token.ts'),
  },
  {
    name: 'key',
    summary: 'Create and register signing keys',
    group: accounts,
    load: () => import('./commands/key.ts'),
  },
  {
    name: 'export',
    summary: 'Download an archive of everything that you wrote',
    group: accounts,
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    summary: 'Import an export of a service or of another program',
    group: accounts,
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'moderate',
    summary: 'Work as a moderator',
    group: accounts,
    load: () => import('./commands/moderate.ts'),
  },
  {
    name: 'api',
    summary: 'Call any operation of the service',
    group: scripts,
    load: () => import('./commands/api.ts'),
  },
  {
    name: 'completion',
    summary: 'Print the script that completes commands in your shell',
    group: scripts,
    load: () => import('./commands/completion.ts'),
  },
];

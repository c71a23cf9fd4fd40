// Generates docs/operations.md from the contract.
import { needsPrecondition, operationList, scopes, scopesOf, scopeWords } from '@colophon/contract';
import type { AnyOperation, Tag } from '@colophon/contract';

const titles: Readonly<Record<Tag, string>> = {
  identity: 'Identity',
  articles: 'Articles',
  social: 'Social',
  media: 'Media',
  moderation: 'Moderation',
  discovery: 'Discovery',
  events: 'Events',
  home: 'Home',
  exports: 'Exports',
};

function marks(operation: AnyOperation): string {
  const { idempotency, precondition, dryRun, quota } = operation;
  const all = [
    idempotency === 'required' ? 'key' : idempotency === 'accepted' ? 'key (optional)' : undefined,
    precondition ? (needsPrecondition(operation) ? 'If-Match' : 'If-Match (optional)') : undefined,
    dryRun ? 'dry run' : undefined,
    quota === undefined ? undefined : `quota \`${quota}\``,
  ];
  return all.filter((one) => one !== undefined).join(', ');
}

function accessOf(operation: AnyOperation): string {
  if (operation.access === 'public') return 'anybody';
  if (operation.access === 'token') return 'any token';
  return scopesOf(operation)
    .map((scope) => `\`${scope}\``)
    .join(', ');
}

function row(operation: AnyOperation): string {
  const { method, path, name, summary, answers, problems } = operation;
  const own = problems.map((problem) => `\`${problem}\``).join(', ');
  return `| \`${method} ${path}\` | \`${name}\` | ${summary} | ${accessOf(operation)} | ${marks(operation)} | ${Object.keys(answers).join(', ')} | ${own} |`;
}

function section(tag: Tag, title: string): readonly string[] {
  const rows = operationList.filter((operation) => operation.tag === tag).map(row);
  if (rows.length === 0) return [];
  return [
    `## ${title}`,
    '',
    '| Request | Name | Does | Needs | Takes | Answers | Problems of its own |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

function scopeSection(): readonly string[] {
  const rows = scopes.map((scope) => `| \`${scope}\` | ${scopeWords[scope]} |`);
  return ['## Scopes', '', '| Scope | What a token with it may do |', '|---|---|', ...rows, ''];
}

/** Returns the whole page. The test of generated files compares it with the committed one. */
export function operationsPage(): string {
  return [
    '# Operations',
    '',
    'Generated from `packages/contract` by `npm run docs`; do not edit. Every operation may also answer the generic problems: `invalid-request`, `unauthenticated`, `forbidden`, `insufficient-scope`, `not-found`, `rate-limited`, `internal-error`, `unavailable`; with a body `validation-failed` and `payload-too-large`; with a key `idempotency-in-progress` and `idempotency-key-reuse`; with a quota `quota-exceeded`.',
    '',
    ...Object.entries(titles).flatMap(([tag, title]) => section(tag as Tag, title)),
    ...scopeSection(),
  ].join('\n');
}

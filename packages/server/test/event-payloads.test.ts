// Every type of event, caused by a request, carries the payload that the contract gives it; so do the docs.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { eventPayloads, eventTypes } from '@colophon/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from '#database';
import { createAgent } from './agents.ts';
import { sendAppeal } from './appeals.ts';
import { comment, reply } from './comments.ts';
import { link, untilSettled } from './edges.ts';
import { startServer } from './harness.ts';
import { act, aModerator } from './moderators.ts';
import { report, review } from './reports.ts';
import { aSigner } from './signed-articles.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const [author, other] = [await server.register(), await server.register()];
const [first, second] = [await aModerator(server), await aModerator(server)];

async function talk(): Promise<void> {
  const article = await server.published(author);
  const asked = await comment(server, other, article.id, { stance: 'asks' });
  const answered = await reply(server, author, asked.id as string);
  await reply(server, other, answered.id as string);
}

async function cite(): Promise<void> {
  const [mine, newer] = [await server.published(author), await server.published(author)];
  const citing = await server.published(other);
  await link(server, other, [citing, mine]);
  await link(server, author, [newer, mine], { kind: 'supersedes' });
  await server.ask('DELETE', `/v1/articles/${mine.id}`, { token: author.token });
}

async function moderate(): Promise<void> {
  const { id: target_id } = await server.published(author);
  const open = { target_type: 'article', target_id, category: 'spam' } as const;
  const [rejected, actioned] = [
    await report(server, open, { token: other.token }),
    await report(server, open, { token: other.token }),
  ];
  await review(server, first, rejected, { status: 'rejected' });
  const input = { target_type: 'article', target_id, action: 'hide' } as const;
  const done = await act(server, first, { ...input, report_id: actioned, source: 'report' });
  await sendAppeal(server, author, done.id as string);
  const restored = { ...input, action: 'restore', source: 'appeal', reason_code: 'appeal_upheld' };
  await act(server, second, { ...restored, reason_text: 'We were wrong.' } as never);
}

async function authorise(): Promise<void> {
  await server.ask('POST', '/v1/follows', {
    token: other.token,
    body: { principal_id: author.id },
  });
  await createAgent(server, author);
  await aSigner(server, author);
}

test('each type that is written has the payload of its schema', async () => {
  await Promise.all([talk(), cite(), moderate(), authorise()]);
  await untilSettled(server);
  const events = await server.db.rows(sql<{ type: keyof typeof eventPayloads; payload: unknown }>`
    select type, payload from events order by type`);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  for (const { type, payload } of events) {
    const isPayload = ajv.compile(eventPayloads[type]);
    assert.ok(
      isPayload(payload),
      `${type} ${JSON.stringify(payload)} ${ajv.errorsText(isPayload.errors)}`,
    );
  }
  assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(eventTypes));
});

test('the table of docs/events.md names the members of each payload', async () => {
  const page = await readFile(new URL('../../../docs/events.md', import.meta.url), 'utf8');
  for (const [type, { properties }] of Object.entries(eventPayloads)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${type}\` `)) ?? '';
    const named = (row.split('|')[4] ?? '').matchAll(/`(\w+)`/g);
    assert.deepEqual(
      [...named].map(([, name]) => name ?? '').toSorted(),
      Object.keys(properties).toSorted(),
      type,
    );
  }
});

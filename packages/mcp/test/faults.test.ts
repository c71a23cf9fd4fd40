// Services and callers that misbehave: the tool host stays up, and a model sees no text that is not marked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuse, startScript } from '../../sdk/test/scripted-server.ts';
import type { Turn } from '../../sdk/test/scripted-server.ts';
import { connectProgram } from './connection.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

test('comments that are refused before the article is answered do not end the process', async () => {
  const answer: Turn = (request, response) => {
    const isArticle = !/comments|edges/.test(request.url);
    if (isArticle) setTimeout(() => refuse('gone')(request, response), 300);
    else refuse('not-found')(request, response);
  };
  await using service = await startScript(answer);
  await using host = await connectProgram({ COLOPHON_URL: service.baseUrl });
  for (const _ of [1, 2]) {
    const { structuredContent } = await host.call('read_thread', { id });
    assert.equal(
      (structuredContent as { status: number }).status,
      410,
      'the problem of the article',
    );
  }
});

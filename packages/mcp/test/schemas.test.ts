// Schemas of tools: strict JSON Schema 2020-12, and answers that the official client accepts after it has listed the tools.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { until } from '../../server/test/throw-away-database.ts';
import { toolsFor } from '../src/tools/tasks.ts';
import { connect, revisions, textOf } from './connection.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('every schema of a tool compiles as strict JSON Schema 2020-12', () => {
  const warned: unknown[] = [];
  const warn = (...words: unknown[]) => void warned.push(words);
  const ajv = new Ajv2020({ strict: true, logger: { log: warn, warn, error: warn } });
  ajv.addFormat('email', true);
  for (const { name, input, output = {} } of toolsFor({ tools: 'all', readOnly: false }).values())
    for (const [side, schema] of Object.entries({ input, output }))
      assert.doesNotThrow(() => ajv.compile(schema), `${name}: ${side}`);
  assert.deepEqual(warned, []);
});

for (const revision of revisions) {
  test(`${revision}: search can be called after the tools were listed`, async () => {
    const { id } = await server.published(await server.register(), { title: 'Quokka weather' });
    await using host = await connect({ COLOPHON_URL: server.baseUrl }, [], revision);
    await host.client.listTools();
    await until('the article is found', async () => {
      const answer = await host.call('search', { q: 'quokka' });
      assert.equal(answer.isError, undefined, textOf(answer));
      return JSON.stringify(answer.structuredContent).includes(id);
    });
  });
}

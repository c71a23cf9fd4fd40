// Schemas of tools: strict JSON Schema, in both of the drafts that clients read, and answers that they accept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv } from 'ajv';
import type { AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { until } from '../../server/test/throw-away-database.ts';
import { outlineOf } from '../src/tools/outline.ts';
import { toolsFor } from '../src/tools/tasks.ts';
import { connect, revisions, textOf } from './connection.ts';

/** Clients of revision 2025-11-25 and before read schemas as draft 7, those of later ones as 2020-12. */
const drafts = { 'draft 7': Ajv, '2020-12': Ajv2020 } as const;

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

for (const [draft, Schemas] of Object.entries(drafts))
  test(`every schema of a tool compiles as strict JSON Schema ${draft}`, () => {
    const warned: unknown[] = [];
    const warn = (...words: unknown[]) => void warned.push(words);
    const ajv = new Schemas({ strict: true, logger: { log: warn, warn, error: warn } });
    ajv.addFormat('email', true);
    for (const { name, input, output = {} } of toolsFor({ tools: 'all', readOnly: false }).values())
      for (const [side, schema] of Object.entries({ input, output, outline: outlineOf(output) }))
        assert.doesNotThrow(() => ajv.compile(schema), `${name}: ${side}`);
    assert.deepEqual(warned, []);
  });

test('an argument that is the id of an object says of which', () => {
  const paths = new Set(['id', 'key_id', 'followeeId']);
  for (const { name, input } of toolsFor({ tools: 'all', readOnly: false }).values())
    for (const [member, { description }] of Object.entries(input.properties))
      if (paths.has(member))
        assert.match(String(description), /^id of (the|a) /, `${name}: ${member}`);
});

test('the list of tools is short enough for the context of a model', async () => {
  await using tasks = await connect({ COLOPHON_URL: server.baseUrl });
  await using all = await connect({ COLOPHON_URL: server.baseUrl }, ['--tools', 'all']);
  for (const [{ client }, most] of [
    [tasks, 45_000],
    [all, 175_000],
  ] as const) {
    const { tools } = await client.listTools();
    const bytes = Buffer.byteLength(JSON.stringify(tools));
    assert.ok(bytes <= most, `${bytes} bytes`);
  }
});

for (const revision of revisions) {
  test(`${revision}: search can be called after the tools were listed`, async () => {
    const { id } = await server.published(await server.register(), { title: 'Quokka weather' });
    await using host = await connect({ COLOPHON_URL: server.baseUrl }, [], revision);
    const { tools } = await host.client.listTools();
    const output = tools.find(({ name }) => name === 'search')?.outputSchema as AnySchema;
    let found: unknown;
    await until('the article is found', async () => {
      const answer = await host.call('search', { q: 'quokka' });
      assert.equal(answer.isError, undefined, textOf(answer));
      found = answer.structuredContent;
      return JSON.stringify(found).includes(id);
    });
    for (const [draft, Schemas] of Object.entries(drafts)) {
      const ajv = new Schemas({ validateFormats: false });
      assert.ok(ajv.validate(output, found), `${draft}: ${ajv.errorsText()}`);
    }
  });
}

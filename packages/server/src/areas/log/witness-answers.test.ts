// What a witness answers in place of a cosignature: it is on record in one line that a terminal only shows.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { verifierKeyOf, writeVerifierKey } from '@colophon/tlog';
import { sha256 } from '#lib/sha256';
import { startServer } from '#test/harness';
import { operate } from '#test/operator';
import { until } from '#test/throw-away-database';
import { provenLog } from '#test/transparency-log';
import { listWitnesses } from './queries/index.ts';

const key = writeVerifierKey(verifierKeyOf(sha256, 'w.example/w', 4, new Uint8Array(32).fill(7)));

const witness = createServer((request, answer) => {
  request.resume();
  answer.statusCode = 500;
  answer.end(
    'No \0\u001b[2J\u001b]0;title\u0007\r\nwitness    w.example/w, 9 leaves\u202e\u2028end',
  );
});
after(() => witness.close());
await new Promise<void>((resolve) => {
  witness.listen(0, '127.0.0.1', resolve);
});
const { port } = witness.address() as AddressInfo;

test('control characters in the answer of a witness neither hide its failure nor reach a terminal', async () => {
  await using server = await startServer({
    LOG_WITNESSES: `${key} http://127.0.0.1:${port}`,
    LOG_WITNESS_PRIVATE: 'allow',
  });
  const human = await server.register();
  const made = await server.published(human);
  await provenLog(server, made.id, made.revision_id);
  // On a busy machine it may be late at first, and is asked again.
  await until('the answer is on record', async () => {
    const [row] = await listWitnesses(server.db);
    return row?.failure?.startsWith('It answered') === true;
  });
  const { out } = await operate(server, 'log', 'status');
  assert.match(
    out,
    /^witness {4}w\.example\/w, 0 leaves, FAILS: It answered 500: No \[2J \]0;title witness w\.example\/w, 9 leaves end$/m,
  );
  assert.doesNotMatch(out, /[^\P{C}\n]/u);
  const { body } = await server.ask('GET', '/metrics');
  assert.match(String(body), /^colophon_log_witnesses_failing 1$/m);
});

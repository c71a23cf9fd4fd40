// The program and a service that it does not reach: what was sent, and what is said while it waits.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startServer } from '../../server/test/harness.ts';
import { selfSigned } from '../../server/test/self-signed.ts';
import { faults, startFaultyProxy } from '../../sdk/test/faulty-proxy.ts';
import { openHome } from './run-cli.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('a port that is never called: nothing was sent, and the next step is to correct it', async () => {
  await using home = await openHome();
  for (const port of [1, 22, 6000])
    for (const line of ['signup ada', 'feed', 'events --follow']) {
      const command = `${line} --url http://127.0.0.1:${port}`;
      const { code, err } = await home.run(command);
      assert.equal(code, 28, err);
      assert.ok(err.includes(`Nothing was sent to http://127.0.0.1:${port}: `), err);
      assert.match(err, /\nNext: Correct the port of the address/);
      assert.doesNotMatch(err, /not known/);
      const { attempts, outcome_unknown } = JSON.parse((await home.run(`${command} --json`)).err);
      assert.deepEqual([attempts, outcome_unknown], [1, false]);
    }
});

test('a certificate that is not trusted: nothing was sent', async () => {
  const { certificate: cert, key } = await selfSigned(['localhost']);
  const untrusted = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(untrusted, 'listening');
  try {
    await using home = await openHome();
    const { port } = untrusted.address() as AddressInfo;
    const { code, err } = await home.run(
      `signup ada --url https://127.0.0.1:${port} --attempts 1 --json`,
    );
    assert.equal(code, 28, err);
    const { detail, outcome_unknown, next } = JSON.parse(err);
    assert.match(detail, /self-signed certificate/);
    assert.equal(outcome_unknown, false);
    assert.match(next, /^Check the address/);
  } finally {
    untrusted.close();
  }
});

test('events --follow says once that the service does not answer, and once that it does again', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  const [human, other] = [await server.register(), await server.register()];
  await using home = await openHome({ COLOPHON_URL: proxy.baseUrl, COLOPHON_TOKEN: human.token });
  const { id } = await server.published(human);
  await server.ask('POST', `/v1/articles/${id}/comments`, {
    token: other.token,
    key: true,
    body: { content: 'A comment' },
  });
  const kinds = [
    'a reset before the request arrives',
    'an overload',
    'a gateway that gives up after the effect',
  ];
  /** Runs while the first requests fail, until the event arrives. */
  const follow = async (failing: number, json: string) => {
    let count = 0;
    proxy.plan(() => {
      count += 1;
      return count <= failing ? faults[kinds[count % kinds.length] ?? ''] : undefined;
    });
    const { code, out, err } = await home.run(`events --follow --limit 1 ${json}`.trim());
    assert.equal(code, 0, err);
    assert.equal(out.trim().split('\n').length, 1);
    return err;
  };
  assert.match(
    await follow(5, ''),
    /^The service (?:does not answer|is not available) \(.+\)\. Trying again until it answers\.\nThe service answers again\.\n$/,
  );
  assert.equal(await follow(1, ''), '');
  assert.equal(await follow(3, '--json'), '');
});

// The client's build in a real browser: it verifies a real proof, without anything of Node.js.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProofVerdict, Trusted, verifyProof } from '@colophon/sdk';
import { createClient, readKeyHistory } from '@colophon/sdk';
import { startServer } from '#test/harness';
import { aSigner, signedArticle } from '#test/signed-articles';
import { noBrowser, openBrowser } from './browser.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));

const pageText = `<!doctype html><title>x</title>
<script type="module">
  import { verifyProof } from '/index.js';
  window.verifyProof = verifyProof;
</script>`;

/** A page, and the files of the published package, which need nothing else. */
async function serve(build: string) {
  const names = (await readdir(build)).filter((name) => name.endsWith('.js'));
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (name === '') response.setHeader('content-type', 'text/html').end(pageText);
    else if (!names.includes(name)) response.writeHead(404).end();
    else {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(join(build, name)).pipe(response);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

interface Given {
  readonly proof: unknown;
  readonly trusted: Trusted;
  readonly text: { readonly title: string; readonly content: string };
}

/** Runs in the page. */
function verify({ proof, trusted, text }: Given): Promise<readonly ProofVerdict[]> {
  const page = globalThis as unknown as { readonly verifyProof: typeof verifyProof };
  return Promise.all([
    page.verifyProof(proof, { text, trusted }),
    page.verifyProof(proof, { text }),
    page.verifyProof(proof, {
      text,
      trusted: { ...trusted, baseUrl: 'https://elsewhere.example' },
    }),
    page.verifyProof(proof, { text: { ...text, content: `${text.content}.` }, trusted }),
    page.verifyProof({ ...(proof as object), base_url: 'https://elsewhere.example' }, { trusted }),
    page.verifyProof('nonsense', { trusted }),
  ]);
}

test('a browser verifies a proof, and refuses what is not one', { skip: noBrowser }, async () => {
  await using server = await startServer();
  const text = { title: 'In a browser', content: 'Some *text* – 😀', metadata: { n: 1 } };
  const made = await signedArticle(server, await aSigner(server), text);
  const path = `/v1/articles/${made.id}/revisions/${made.revision_id}/proof`;
  const { body: proof } = await server.ask('GET', path);
  const client = createClient({ baseUrl: server.baseUrl });
  const trusted = await readKeyHistory(client, { id: proof.author_id as string });
  const build = await mkdtemp(join(tmpdir(), 'colophon-build-'));
  const browser = await openBrowser();
  try {
    await run(process.execPath, [join(root, 'scripts/sdk/build.ts'), build]);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(await serve(build));
    await page.waitForFunction('window.verifyProof !== undefined', undefined, { timeout: 60_000 });
    const verdicts = await page.evaluate(verify, { proof, trusted, text });
    assert.deepEqual(
      verdicts.map((verdict) => (verdict.valid ? verdict.key.id : verdict.reason)),
      [
        made.signature_key_id,
        'no-trust',
        'other-service',
        'content-hash',
        'signing-input',
        'malformed',
      ],
    );
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await rm(build, { recursive: true, force: true });
  }
});

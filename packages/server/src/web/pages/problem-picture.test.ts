// What an `img` shows of a file that is not there: words, in a browser too.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { noBrowser, openBrowser } from '#test/browser/browser';
import { startServer } from '#test/harness';
import { fetchBytes, pngOf, upload } from '#test/media-files';
import { act, aModerator } from '#test/moderators';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

/** As browsers send it for an `img`. */
const accept = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

const picture = async (path: string, headers: Record<string, string> = { accept }) => {
  const { status, headers: got, bytes } = await fetchBytes(server, path, headers);
  return { status, type: got.get('content-type'), text: bytes.toString(), headers: got };
};

/** An image that says its size and has no pixels: it never gets a variant. */
async function undecodable(): Promise<string> {
  const author = await server.register();
  const whole = pngOf(50, 50, { rows: Buffer.alloc(2_600, 200) });
  return (await upload(server, author, 'image', whole.subarray(0, 45))).body.id;
}

test('404 not-found of a variant that is missing: a picture with words, which is not stored', async () => {
  const id = await undecodable();
  const { status, type, text, headers } = await picture(`/media/${id}?w=1280`);
  assert.deepEqual([status, type], [404, 'image/svg+xml; charset=utf-8']);
  assert.match(text, /^<svg [^]*not yet\.<\/text><\/svg>\n$/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-security-policy') ?? '', /^sandbox/);
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('410 gone of a file that a moderator removed: the words say so', async () => {
  const [author, moderator] = [await server.register(), await aModerator(server)];
  const { id } = (await upload(server, author, 'image', pngOf(8, 8))).body;
  const target = { target_type: 'media' as const, target_id: id as string };
  await act(server, moderator, { ...target, action: 'remove' });
  const gone = await picture(`/media/${id}`);
  assert.deepEqual([gone.status, /was removed\./.test(gone.text)], [410, true]);
});

test('clients other than an img element get the problem document', async () => {
  const path = `/media/${newId(9)}`;
  const isDocument = async (place: string, headers?: Record<string, string>) =>
    assert.match((await picture(place, headers)).type ?? '', /^application\/problem\+json/);
  for (const one of ['', '*/*', 'application/problem+json, image/svg+xml;q=0.5'])
    await isDocument(path, one === '' ? {} : { accept: one });
  // A fault in the request is not answered with a picture, and nothing of the API is.
  await isDocument(`/media/${newId(9)}?w=7`);
  await isDocument('/v1/media/x');
});

test('a browser shows it in place of a broken image', { skip: noBrowser }, async () => {
  const id = await undecodable();
  const author = await server.register();
  const content = `A text.\n\n![A cut picture](${server.baseUrl}/media/${id}?w=1280)\n`;
  const { url } = await server.published(author, { title: 'A cut picture', content });
  await using browser = await openBrowser();
  const page = await browser.newPage();
  await page.goto(url);
  const image = page.getByRole('img', { name: 'A cut picture' });
  await image.scrollIntoViewIfNeeded();
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('.prose img')?.complete,
  );
  assert.equal(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth), 640);
});

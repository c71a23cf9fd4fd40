// Exports of WordPress with files whose names look alike, players, and times without a zone.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { articlesIn, read, withFiles } from './folder-files.ts';

const base = 'https://x.example/wp-content/uploads/';

const attachment = (id: number, file: string, address = base + file) =>
  `<item><wp:post_id>${id}</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>${address}</wp:attachment_url><wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>${file}</wp:meta_value></wp:postmeta></item>`;

const post = (id: string, content: string, more = '') =>
  `<item><title>A</title><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>${more}<content:encoded><![CDATA[${content}]]></content:encoded></item>`;

const wxr = (items: string) =>
  `<?xml version="1.0"?><rss xmlns:wp="w" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version><link>https://x.example</link>${items}</channel></rss>`;

/** Addresses in a post, and the files that they mean. */
const meant: Readonly<Record<string, string | undefined>> = {
  '1/wall-800x600.png': '1/wall-800x600.png',
  '1/wall-1024x768.png': '1/wall-1024x768.png',
  '1/wall-800x600-300x225.png': '1/wall-800x600.png',
  '1/wall-640x480.png': undefined,
  '1/a-300x200.png': '1/a.png',
  '1/a.png?w=300': '1/a.png',
  '1/b-300x200.png': '1/b-scaled.png',
  '1/b.png': '1/b-scaled.png',
  '1/h%C3%A4user.png': '1/häuser.png',
  '1/häuser-150x150.png': '1/häuser.png',
  '1/sp%20ace.png': '1/sp ace.png',
  '1/100%25.png': '1/100%.png',
};

test('an image of WordPress is the one that its address names, also as a variant', async () => {
  const names = [...new Set(Object.values(meant))].filter((name) => name !== undefined);
  const images = Object.keys(meant).map((path) => `<p><img src="${base}${path}"></p>`);
  const attachments = names.map((name, index) =>
    attachment(index + 10, name, base + (name.includes('%') ? encodeURI(name) : name)),
  );
  const files = {
    'export.xml': wxr(attachments.join('') + post('1', images.join(''))),
    ...Object.fromEntries(names.map((name) => [`uploads/${name}`, name])),
  };
  await withFiles(files, async (folder) => {
    const media = join(folder, 'uploads');
    const { content } = await read(await articlesIn(join(folder, 'export.xml'), { media }), '1');
    const shown = content.trim().split('\n\n');
    const expected = Object.entries(meant).map(([path, name]) =>
      name === undefined ? base + path : `https://b.example/${name}`,
    );
    assert.deepEqual(
      shown.map((line) => line.replace(/^!\[\]\(<?(.*?)>?\)$/, '$1')),
      expected,
    );
  });
});

test('a player without words becomes a link that readers see', async () => {
  const content = `<figure><video controls src="${base}v.mp4"></video></figure><audio><source src="${base}s.mp3?a=b">\n</audio><video></video><video src="${base}w.mp4">Words</video>`;
  await withFiles({ 'export.xml': wxr(post('1', content)) }, async (folder) => {
    const found = await read(await articlesIn(join(folder, 'export.xml')), '1');
    assert.match(found.content, /\[v\.mp4\]\(.*v\.mp4\)[^]*\[s\.mp3\]\(.*\)[^]*\[Words\]\(/);
    assert.doesNotMatch(found.content, /\[\]/);
  });
});

test('a post of WordPress with the time of its site alone keeps it, read as UTC', async () => {
  const time = (gmt: string) =>
    `<wp:post_date>2020-03-01 11:00:00</wp:post_date><wp:post_date_gmt>${gmt}</wp:post_date_gmt>`;
  const items =
    post('1', 'Text', time('0000-00-00 00:00:00')) + post('2', 'Text', time('2020-03-01 10:00:00'));
  await withFiles({ 'export.xml': wxr(items) }, async (folder) => {
    const articles = await articlesIn(join(folder, 'export.xml'));
    assert.equal((await read(articles, '1')).publishedAt, '2020-03-01T11:00:00.000Z');
    assert.equal((await read(articles, '2')).publishedAt, '2020-03-01T10:00:00.000Z');
  });
});

test('an image at another host is none of the site, also with the path of one of its files', async () => {
  const path = '/wp-content/uploads/2020/02/photo.png';
  const cdn = 'https://files.x-cdn.example/2020/03/other.png';
  const shown: Readonly<Record<string, boolean>> = {
    [`https://x.example${path}`]: true,
    [`http://www.X.example${path}`]: true,
    [`//x.example${path}`]: true,
    [path]: true,
    [cdn]: true,
    [`https://files.x-cdn.example${path}`]: true,
    [`https://other.example${path}`]: false,
    [`//other.example${path}`]: false,
    [`https://x.example.other.example${path}`]: false,
    [`https://x.example@other.example${path}`]: false,
    'https://other.example/2020/03/other.png': false,
  };
  const addresses = Object.keys(shown);
  const images = addresses.map((address) => `<p><img src="${address}"></p>`).join('');
  const items =
    attachment(10, '2020/02/photo.png') +
    attachment(11, '2020/03/other.png', cdn) +
    post('1', images);
  const files = {
    'export.xml': wxr(items),
    'uploads/2020/02/photo.png': 'photo',
    'uploads/2020/03/other.png': 'other',
  };
  await withFiles(files, async (folder) => {
    const media = join(folder, 'uploads');
    const { content } = await read(await articlesIn(join(folder, 'export.xml'), { media }), '1');
    const lines = content.trim().split('\n\n');
    assert.equal(lines.length, addresses.length);
    for (const [index, address] of addresses.entries()) {
      const isOwn = lines[index]?.includes('https://b.example/') === true;
      assert.equal(isOwn, shown[address], address);
      if (!isOwn) assert.ok(lines[index]?.includes(address), address);
    }
  });
});

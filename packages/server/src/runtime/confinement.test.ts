// Tests of programs that process untrusted bytes: their privileges as root, and that they work.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { startEmbedded } from '#database';
import { openDrawing } from '#drawing';
import { openImageWork } from '#images';
import type { Card } from '@colophon/share-images';
import { ownIdOf } from './own-user.ts';
import type { Confinement, Part } from './own-user.ts';
import sharp from 'sharp';
import { confinementOf } from './confinement.ts';

const program = join(import.meta.dirname, '../images/make-variants.mjs');
const bytesMax = 1.5 * 1024 ** 3;
const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const rootOnly = { skip: !isRoot && 'only root can become another user' };
const card: Card = {
  title: 'A title 漢字',
  language: 'en',
  direction: 'ltr',
  kind: 'human',
  username: 'ann',
  displayName: 'Ann Example',
  ownerUsername: null,
  disclosure: 'human_authored',
  host: 'example.org',
};
let base = '';

before(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'confinement-')));
  await chmod(base, 0o755);
});

after(() => rm(base, { recursive: true, force: true }));

/** Returns how a part is started, and the warnings. */
async function confine(part: Part, needs: readonly string[] = [program], dataDir = base) {
  const said: string[] = [];
  const warn = (sentence: string) => void said.push(sentence);
  return { said, how: await confinementOf(part, needs, { dataDir, bytesMax, warn }) };
}

/** Runs a script in Node.js as a part is started and returns its output. */
function runAs({ words }: Confinement, script: string, args: readonly string[] = []): string {
  const [file = '', ...rest] = [...words, process.execPath, '-e', script, '--', ...args];
  return spawnSync(file, rest, { encoding: 'utf8', cwd: '/' }).stdout;
}

const fieldOf = (status: string, name: string) =>
  new RegExp(`^${name}:[\\t ]*(.*)$`, 'm').exec(status)?.[1];

/** Reads the state of a process from the kernel. */
function assertConfined(status: string, uid: number | undefined): void {
  assert.ok(uid !== undefined);
  assert.equal(fieldOf(status, 'Uid'), Array.from({ length: 4 }, () => uid).join('\t'));
  assert.equal(fieldOf(status, 'Gid'), Array.from({ length: 4 }, () => uid).join('\t'));
  assert.equal(fieldOf(status, 'Groups')?.trim(), '');
  for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
    assert.match(fieldOf(status, `Cap${set}`) ?? '', /^0+$/);
  assert.equal(fieldOf(status, 'NoNewPrivs'), '1');
}

test('as root a program is a user of its own without rights, with bounded memory; else it is the service’s user', async () => {
  for (const part of ['images', 'drawing'] as const) {
    const { how } = await confine(part);
    if (!isRoot) {
      assert.deepEqual(how, { words: [], uid: undefined });
      continue;
    }
    const other = await confine(part, [program], '/srv/other');
    assert.notEqual(how.uid, other.how.uid);
    const files = ['/proc/self/status', '/proc/self/limits'];
    const shown = runAs(
      how,
      "for (const file of process.argv.slice(1)) console.log(require('fs').readFileSync(file, 'utf8'))",
      files,
    );
    assertConfined(shown, how.uid);
    assert.match(shown, new RegExp(`^Max data size\\s+${bytesMax}\\s`, 'm'));
  }
});

test('images are decoded in confinement', async () => {
  await using images = openImageWork(async () => (await confine('images')).how);
  const original = await sharp({
    create: { width: 4000, height: 3000, channels: 3, background: 'teal' },
  })
    .png()
    .toBuffer();
  const frames = await images.makeVariants(Readable.from([original]), [320, 1280]);
  assert.deepEqual(
    frames?.map(({ width }) => width),
    [320, 1280],
  );
});

/** Draws into a temporary folder that only this test uses. */
async function drawIn(folder: string, needs: readonly string[]) {
  const earlier = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const { how, said } = await confine('drawing', needs);
    await using drawing = openDrawing(async () => how);
    const png = await drawing.draw(card);
    const status = await readFile(`/proc/${drawing.running()}/status`, 'utf8').catch(() => '');
    const names = (await readdir(folder)).filter((name) => name.startsWith('colophon-drawing-'));
    assert.equal(names.length, 1);
    const made = await stat(join(folder, names[0] ?? ''));
    return { how, said, png, status, made };
  } finally {
    if (earlier === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = earlier;
  }
}

async function drawFreely(): Promise<Buffer | undefined> {
  await using drawing = openDrawing();
  return await drawing.draw(card);
}

test('share images are drawn in confinement, in a folder of that user which is gone afterwards', async () => {
  const folder = join(base, 'temporary');
  await mkdir(folder);
  await chmod(folder, 0o1777);
  const { how, png, status, made } = await drawIn(folder, [program, `${folder}/`]);
  assert.equal(png?.equals((await drawFreely()) ?? Buffer.of()), true);
  assert.deepEqual([made.uid, made.mode & 0o777], [how.uid ?? process.geteuid?.(), 0o700]);
  if (isRoot) assertConfined(status, how.uid);
  assert.deepEqual(await readdir(folder), []);
});

test(
  'where the user cannot enter the program’s folder it may read every file and nothing more, and one warning says so',
  rootOnly,
  async () => {
    const closed = join(base, 'closed');
    const folder = join(base, 'temporary of a closed program');
    await mkdir(closed, { mode: 0o700 });
    await mkdir(folder);
    await chmod(folder, 0o1777);
    const file = join(closed, 'program');
    await writeFile(file, '', { mode: 0o600 });
    const { how, said, png, status } = await drawIn(folder, [program, file, `${folder}/`]);
    assert.ok(png);
    assert.equal(said.length, 1);
    assert.match(
      said[0] ?? '',
      /^The process "drawing" .*can read every file, because its user id/,
    );
    assert.equal(fieldOf(status, 'Uid')?.split('\t')[1], String(how.uid));
    // CAP_DAC_READ_SEARCH
    for (const set of ['Prm', 'Eff', 'Bnd', 'Amb'])
      assert.equal(Number.parseInt(fieldOf(status, `Cap${set}`) ?? '', 16), 1 << 2);
    assert.equal(fieldOf(status, 'NoNewPrivs'), '1');
    assert.deepEqual(await readdir(folder), []);
  },
);

test(
  'where the user cannot enter the temporary folder it draws as root, and one warning says so',
  rootOnly,
  async () => {
    const folder = join(base, 'closed temporary');
    await mkdir(folder, { mode: 0o700 });
    const { how, said, png } = await drawIn(folder, [program, `${folder}/`]);
    assert.ok(png);
    assert.equal(how.uid, undefined);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /^The process "drawing" runs as root .*temporary folder/);
    assert.deepEqual(await readdir(folder), []);
  },
);

test('where nothing is permitted it runs as root, and one warning says so', rootOnly, async () => {
  const said: string[] = [];
  const warn = (sentence: string) => void said.push(sentence);
  const how = await confinementOf('images', [program], { dataDir: base, bytesMax: 4096, warn });
  assert.deepEqual(how, { words: [], uid: undefined });
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^The process "images" runs as root .*because setpriv does not work/);
});

test(
  'a data folder that came from another place keeps its database’s user, and no other part has the same',
  rootOnly,
  async () => {
    const dataDir = join(base, 'copied');
    const alone = ownIdOf('images', dataDir, new Set());
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await chown(join(dataDir, 'postgres'), alone, alone);
    assert.notEqual((await confine('images', [program], dataDir)).how.uid, alone);
  },
);

/** Each line is one access to files of the other parts, with its result. */
const attack = `
const fs = require('node:fs'), net = require('node:net');
const [dataDir, socket, ...pids] = process.argv.slice(1);
const said = [];
const attempt = (what, work) => {
  try { work(); said.push(what + ': done'); } catch (error) { said.push(what + ': ' + error.code); }
};
for (const pid of pids) {
  attempt('signal', () => process.kill(Number(pid), 0));
  attempt('environ', () => fs.readFileSync('/proc/' + pid + '/environ'));
  attempt('memory', () => fs.openSync('/proc/' + pid + '/mem'));
}
for (const name of ['', '/media', '/postgres']) attempt('list', () => fs.readdirSync(dataDir + name));
attempt('file', () => fs.readFileSync(dataDir + '/media/one'));
attempt('write', () => fs.writeFileSync(dataDir + '/mine', ''));
const end = (how) => { console.log([...said, 'connect: ' + how].join('\\n')); process.exit(); };
net.connect(socket).once('connect', () => end('done')).once('error', (error) => end(error.code));
`;

test(
  'database, decoders and drawing are three users, and none reaches what the others have',
  rootOnly,
  async () => {
    const dataDir = join(base, 'data');
    await mkdir(join(dataDir, 'media'), { recursive: true });
    await chmod(dataDir, 0o711);
    await chmod(join(dataDir, 'media'), 0o700);
    await writeFile(join(dataDir, 'media/one'), 'private', { mode: 0o600 });
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    await using database = await startEmbedded({ dataDir, log });
    const images = (await confine('images', [program], dataDir)).how;
    const drawer = (await confine('drawing', [program], dataDir)).how;
    await using drawing = openDrawing(async () => drawer);
    assert.ok(await drawing.draw(card));
    const uids = [(await stat(join(dataDir, 'postgres'))).uid, images.uid, drawer.uid];
    assert.equal(new Set([...uids, 0, 65_534, undefined]).size, 6, String(uids));
    const pids = [process.pid, database.pid].map(String);
    const drawingPid = String(drawing.running());
    const socket = join(database.connection.host, '.s.PGSQL.5432');
    for (const [how, others] of [
      [images, [...pids, drawingPid]],
      [drawer, pids],
    ] as const) {
      const lines = runAs(how, attack, [dataDir, socket, ...others])
        .trim()
        .split('\n');
      assert.equal(lines.length, others.length * 3 + 6);
      for (const line of lines) assert.match(line, /: (?:EACCES|EPERM)$/);
    }
  },
);

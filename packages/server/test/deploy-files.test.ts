// The files of deploy/: each setting that they name exists, YAML is valid, and no file contains a secret.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { parseAllDocuments } from 'yaml';
import { ownPostgres, withoutPostgres } from './own-postgres.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFile(join(root, file), 'utf8');

/** Read by the AWS client, which docs/media.md names, and by the operating system. */
const ofOthers = ['HOME', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'];
/** Values that compose.yaml takes from deploy/.env, and settings of the images that it uses. */
const ofCompose = ['SITE', 'MEDIA_SITE', 'UPSTREAMS', 'POSTGRES_USER', 'POSTGRES_PASSWORD'].concat([
  'COLOPHON_PASSWORD',
  'POSTGRES_INITDB_ARGS',
]);

/** Parses every document of a YAML file, with anchors and merge keys. */
async function documents(file: string) {
  return parseAllDocuments(await read(file), { merge: true, uniqueKeys: true }).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], [], file);
    return document.toJS();
  });
}

async function documentedSettings(): Promise<Set<string>> {
  const table = (await read('docs/running.md')).split('\n## ')[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return new Set(
    rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
    ),
  );
}

async function setInUnits(): Promise<string[]> {
  const names = [];
  for (const file of globSync('deploy/systemd/*', { cwd: root })) {
    const text = await read(file);
    const lines = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' '),
    );
    if (file.endsWith('.env'))
      lines.push(...text.split('\n').filter((line) => /^#?[A-Z_]+=/.test(line)));
    names.push(...lines.map((line) => (line.split('=')[0] ?? '').replace('#', '')));
  }
  return names;
}

test('every setting in the units, containers and manifests is one of docs/running.md', async () => {
  const known = new Set([...(await documentedSettings()), ...ofOthers]);
  assert.ok(known.has('DATABASE_URL'));
  const container = await read('deploy/Containerfile');
  const inContainer = [...container.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((one) => one.split('=')[0] ?? ''),
  );
  const [compose] = await documents('deploy/compose.yaml');
  const services: readonly { environment?: object }[] = Object.values(compose.services);
  const inCompose = services.flatMap((one) => Object.keys(one.environment ?? {}));
  const [secret] = await documents('deploy/kubernetes/secret.example.yaml');
  const all = [...(await setInUnits()), ...inContainer, ...Object.keys(secret?.['stringData'])];
  assert.ok(all.length > 20, 'the settings were found');
  assert.deepEqual(
    all.filter((name) => !known.has(name)),
    [],
  );
  const inBoth = new Set([...known, ...ofCompose]);
  assert.deepEqual(
    inCompose.filter((name) => !inBoth.has(name)),
    [],
  );
});

test('compose.yaml takes each secret from deploy/.env, and its form has no value', async () => {
  const text = await read('deploy/compose.yaml');
  const wanted = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const form = await read('deploy/compose.env');
  const offered = [...form.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(wanted), new Set(offered));
  assert.doesNotMatch(form, /^(?:\w*PASSWORD|\w*KEY\w*|\w*TOKEN)=./m);
});

test(
  'the database of compose.yaml has a role for the service, which is not a superuser',
  { skip: withoutPostgres },
  async () => {
    await using postgres = await ownPostgres();
    const data = join(postgres.folder, 'data');
    const secret = join(postgres.folder, 'secret');
    await writeFile(secret, 'of the superuser', { mode: 0o644 });
    const locks = ['-A', 'scram-sha-256', `--pwfile=${secret}`];
    await postgres.run('initdb', '-D', data, '-U', 'postgres', '-N', ...locks);
    await postgres.start(data);
    const { hostname, port } = new URL(postgres.url);
    const settings = {
      POSTGRES_USER: 'postgres',
      PGPASSWORD: 'of the superuser',
      COLOPHON_PASSWORD: "it's $HOME",
      PGHOST: hostname,
      PGPORT: port,
    };
    const script = join(root, 'deploy/postgres/create-database.sh');
    await promisify(execFile)(script, { env: { ...process.env, ...settings } });
    const login = {
      host: hostname,
      port: Number(port),
      user: 'colophon',
      password: settings.COLOPHON_PASSWORD,
    };
    const refused = new pg.Client({ ...login, database: 'postgres' });
    await assert.rejects(refused.connect(), /permission denied for database/);
    const service = new pg.Client({ ...login, database: 'colophon' });
    await service.connect();
    const { rows } = await service.query(`
      select rolsuper or rolcreaterole or rolcreatedb as mighty, pg_encoding_to_char(encoding) as encoding
      from pg_roles
      join pg_database on datdba = pg_roles.oid
      where datname = 'colophon'`);
    await service.end();
    assert.deepEqual(rows, [{ mighty: false, encoding: 'UTF8' }]);
  },
);

test('every container of compose.yaml is started again and limits its log', async () => {
  const [compose] = await documents('deploy/compose.yaml');
  const all: readonly [string, { restart?: string; logging?: { options?: object } }][] =
    Object.entries(compose.services);
  for (const [name, { restart, logging }] of all) {
    assert.equal(restart, name === 'bucket' ? 'no' : 'always', name);
    assert.deepEqual(Object.keys(logging?.options ?? {}), ['max-size', 'max-file'], name);
  }
});

test('the proxy depends on no container: Compose replaces what depends on a replaced one', async () => {
  const [compose] = await documents('deploy/compose.yaml');
  assert.equal(compose.services.proxy.depends_on, undefined);
});

/** Runs what `bucket` runs, with programs of ours in place of the AWS client, the clock (a minute for each look) and the pauses. */
async function createBucket(aws: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'colophon-bucket-'));
  const clock = 'echo >> looks; echo $(($(wc -l < looks) * 60))';
  const programs = { aws, date: clock, sleep: 'exit 0' };
  for (const [name, body] of Object.entries(programs))
    await writeFile(join(folder.path, name), `#!/bin/sh\ncd ${folder.path}\n${body}\n`, {
      mode: 0o755,
    });
  const [compose] = await documents('deploy/compose.yaml');
  const { entrypoint, command, volumes, restart } = compose.services.bucket;
  const [[from, to]] = volumes.map((one: string) => one.split(':'));
  assert.deepEqual(entrypoint, ['sh', to]);
  assert.equal(restart, 'no', 'up waits for the end of bucket');
  const PATH = `${folder.path}:${process.env['PATH']}`;
  const script = join(root, 'deploy', from);
  const { status, stderr } = spawnSync('sh', [script, ...command], {
    env: { PATH },
    encoding: 'utf8',
  });
  const calls = await readFile(join(folder.path, 'calls'), 'utf8');
  return { status, stderr, calls: calls.trim().split('\n') };
}

test('bucket ends with what the store said when it never gives the bucket', async () => {
  const refusal = 'Could not connect to the endpoint URL';
  const { status, stderr, calls } = await createBucket(
    `echo "$@" >> calls; echo "${refusal} $8"; exit 255`,
  );
  assert.equal(status, 1);
  assert.equal(calls.length, 4);
  assert.match(stderr, new RegExp(`${refusal} head-bucket.*${refusal} create-bucket`));
  assert.match(stderr, /The service is not started\./);
});

test('bucket creates the bucket as soon as the store answers', async () => {
  const { status, calls } = await createBucket(
    'echo "$@" >> calls; [ "$(wc -l < calls)" -ge 4 ] || { echo no; exit 254; }',
  );
  assert.equal(status, 0);
  assert.equal(calls.length, 4);
  assert.match(
    calls.at(-1) ?? '',
    /--endpoint-url http:\/\/store:8333 s3api create-bucket --bucket colophon$/,
  );
});

test('no file with secrets is copied into the image', async () => {
  const left = (await read('.dockerignore')).split('\n');
  // A pattern without **/ is only that of the first folder.
  for (const secret of ['**/.env', 'deploy/kubernetes/secret.yaml', '.git'])
    assert.ok(left.includes(secret), secret);
});

test('both stages of the image have the library that the pinned Node.js needs', async () => {
  const stages = (await read('deploy/Containerfile')).split(/^FROM /m).slice(1);
  assert.equal(stages.length, 2);
  for (const stage of stages) assert.match(stage, /\blibatomic1\b/);
});

const manifests = 'deploy/kubernetes';

/** Every object of the manifests, by its kind and name. */
async function objects() {
  const files = globSync(`${manifests}/*.yaml`, { cwd: root });
  const all = (await Promise.all(files.map(documents))).flat();
  return new Map(all.map((one) => [`${one.kind} ${one.metadata?.name}`, one]));
}

test('kustomization.yaml lists every manifest', async () => {
  const files = globSync(`${manifests}/*.yaml`, { cwd: root }).map((file) => basename(file));
  const [list] = await documents(`${manifests}/kustomization.yaml`);
  const found = files.map((file) => file.replace('.example', ''));
  assert.deepEqual(new Set(found), new Set(['kustomization.yaml', ...list.resources]));
});

test('the manifests refer to what they define, and probe what the service answers', async () => {
  const all = await objects();
  const { template } = all.get('Deployment colophon-web').spec;
  const { labels } = template.metadata;
  assert.deepEqual(all.get('Service colophon-web').spec.selector, labels);
  assert.deepEqual(all.get('PodDisruptionBudget colophon-web').spec.selector.matchLabels, labels);
  const [{ livenessProbe, readinessProbe, ports }] = template.spec.containers;
  assert.equal(livenessProbe.httpGet.path, '/healthz');
  assert.equal(readinessProbe.httpGet.path, '/readyz');
  assert.deepEqual(ports, [{ name: readinessProbe.httpGet.port, containerPort: 8080 }]);
  for (const { host, http } of all.get('Ingress colophon').spec.rules)
    assert.equal(http.paths[0].backend.service.name, 'colophon-web', host);
});

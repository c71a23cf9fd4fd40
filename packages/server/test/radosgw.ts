// A real S3 server for a test: Ceph's gateway on a cluster of one, in memory; without it such tests are skipped.
import { spawn, execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findProgram } from './installed-programs.ts';
import { suspend } from './suspend.ts';
import { ownPort } from './own-port.ts';

const needed = [
  'ceph',
  'ceph-authtool',
  'ceph-mon',
  'ceph-osd',
  'monmaptool',
  'radosgw',
  'radosgw-admin',
];

const missing = needed.filter((name) => findProgram(name) === undefined);

/** For `skip`: false where the gateway can be started, else the reason. */
export const withoutS3: string | false =
  missing.length > 0 &&
  `no ${missing.join(', ')} on this machine: install radosgw, ceph-mon and ceph-osd to run this test`;

export const keys = { AWS_ACCESS_KEY_ID: 'colophon', AWS_SECRET_ACCESS_KEY: 'colophon-secret' };
const bucket = 'colophon-media';

export interface TestS3 extends AsyncDisposable {
  /** For MEDIA_STORE. */
  readonly store: string;
  readonly place: {
    readonly bucket: string;
    readonly endpoint: string;
    readonly region: string;
  };
  /** It keeps its connections and answers nothing, until `thaw`. */
  freeze(): Promise<void>;
  thaw(): void;
}

/** A monitor that decides at once what it would otherwise gather for a second or five: it starts in 2 s, not 15. */
function settings(folder: string, cluster: string, ports: readonly [number, number]): string {
  return `[global]
fsid = ${cluster}
mon initial members = a
mon host = [v2:127.0.0.1:${ports[0]}]
keyring = ${folder}/keyring
auth allow insecure global id reclaim = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 2000
mon data avail crit = 1
mon tick interval = 1
paxos propose interval = 0.02
paxos min wait = 0.02
osd objectstore = memstore
memstore device bytes = 2147483648
log file = ${folder}/$name.log
admin socket =
run dir = ${folder}
mon data = ${folder}/mon
osd data = ${folder}/osd
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${ports[1]}
rgw data = ${folder}
rgw thread pool size = 32
`;
}

/** Ends its children with this process, whatever happens. */
function family() {
  const children: ChildProcess[] = [];
  const kill = () => {
    for (const child of children.toReversed()) child.kill('SIGKILL');
  };
  process.once('exit', kill);
  return {
    start: (program: string, words: readonly string[]) => {
      const child = spawn(program, words, { stdio: 'ignore' });
      children.push(child);
      return child;
    },
    end: async () => {
      process.off('exit', kill);
      const ended = children
        .filter((child) => child.exitCode === null)
        .map((child) => once(child, 'exit'));
      kill();
      await Promise.all(ended);
    },
  };
}

async function answers(url: string): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error('radosgw did not start within ten minutes.');
    await wait(100);
  }
}

/** Sets the keys for the service, until what it returns is called: the next file of the process has none. */
function lendKeys(): () => void {
  const before = Object.keys(keys).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, keys);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Starts the gateway on free ports of the loopback address, with one empty bucket. */
export async function startS3(): Promise<TestS3> {
  if (withoutS3 !== false) throw new Error(withoutS3);
  const folder = await mkdtemp(join(tmpdir(), 'colophon-s3-'));
  const ports = [await ownPort(), await ownPort()] as const;
  const [cluster, disk] = [randomUUID(), randomUUID()];
  const file = join(folder, 'ceph.conf');
  await writeFile(file, settings(folder, cluster, ports));
  await Promise.all(['mon', 'osd'].map((name) => mkdir(join(folder, name))));
  const run = async (program: string, ...words: string[]) => {
    await promisify(execFile)(program, words, { timeout: 600_000 });
  };
  const conf = (program: string, ...words: string[]) => run(program, '-c', file, ...words);
  const keyring = join(folder, 'keyring');
  const may = ['mon', 'osd', 'mgr'].flatMap((one) => ['--cap', one, 'allow *']);
  for (const [index, name] of ['mon.', 'client.admin', 'client.rgw', 'osd.0'].entries()) {
    const create = index === 0 ? ['--create-keyring'] : [];
    await run('ceph-authtool', ...create, keyring, '--gen-key', '-n', name, ...may);
  }
  const map = join(folder, 'monmap');
  const addresses = `[v2:127.0.0.1:${ports[0]}]`;
  await run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', addresses, map);
  await conf('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
  const processes = family();
  processes.start('ceph-mon', ['-c', file, '-i', 'a', '-f']);
  await conf('ceph', '--connect-timeout', '30', 'osd', 'new', disk, '0');
  await conf('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk, '--no-mon-config');
  processes.start('ceph-osd', ['-c', file, '-i', '0', '-f']);
  const gateway = processes.start('radosgw', ['-c', file, '-n', 'client.rgw', '-f']);
  const endpoint = `http://127.0.0.1:${ports[1]}`;
  await answers(endpoint);
  const [access, secret] = [keys.AWS_ACCESS_KEY_ID, keys.AWS_SECRET_ACCESS_KEY];
  const user = ['--uid=colophon', '--display-name=Colophon'];
  const words = ['user', 'create', ...user, `--access-key=${access}`, `--secret-key=${secret}`];
  await conf('radosgw-admin', ...words);
  const takeKeysBack = lendKeys();
  const client = new S3Client({ endpoint, region: 'default', forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    store: `s3://${bucket}?endpoint=${endpoint}&region=default`,
    place: { bucket, endpoint, region: 'default' },
    freeze: () => suspend(gateway),
    thaw: () => void gateway.kill('SIGCONT'),
    [Symbol.asyncDispose]: async () => {
      takeKeysBack();
      gateway.kill('SIGCONT');
      await processes.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// The faults of `npm run bench -- recovery`: each returns when its cause is over, and says since when writes can succeed.
import { spawnSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf, signal } from '../../packages/server/test/faults/child-processes.ts';
import { wideLimits } from '../../packages/server/test/faults/limits.ts';
import { makePlace } from '../../packages/server/test/faults/server-process.ts';
import type { Place, ServerProcess } from '../../packages/server/test/faults/server-process.ts';
import { copyPreparedFolder } from '../../packages/server/test/prepared-folder.ts';
import { startS3, withoutS3 } from '../../packages/server/test/radosgw.ts';
import { startRedis, withoutRedis } from '../../packages/server/test/redis.ts';
import { openReplicated } from '../../packages/server/test/replicated.ts';

/** A server with what it depends on, and one fault of it. */
export interface Scene extends AsyncDisposable {
  readonly baseUrl: string;
  /** What is written: drafts, or the bytes of files. */
  readonly writes: 'texts' | 'files';
  /** Causes the fault and ends its cause. Returns the moment at which the cause was over (performance.now). */
  readonly fault: () => Promise<number>;
}

export interface Fault {
  readonly what: string;
  /** Why it cannot be caused on this machine; false if it can. */
  readonly without: string | false;
  readonly open: () => Promise<Scene>;
}

/** How long the cause of a fault lasts that does not end by itself. */
const lastsMs = 10_000;
const diskMegabytes = 320;

type Settings = Readonly<Record<string, string>>;

interface Running {
  readonly place: Place;
  server: ServerProcess;
  readonly again: () => Promise<void>;
}

async function start(settings: Settings, isEmbedded = true): Promise<Running> {
  const place = await makePlace(isEmbedded ? 'prepared' : 'none');
  const server = place.start(settings);
  await server.ready(place.baseUrl);
  const running: Running = {
    place,
    server,
    again: async () => {
      await running.server.ended;
      running.server = place.start(settings);
    },
  };
  return running;
}

/** The scene of a server on a folder of its own. */
async function onItsOwn(
  settings: Settings,
  fault: (running: Running) => Promise<number>,
): Promise<Scene> {
  const running = await start(settings);
  const { place } = running;
  return {
    baseUrl: place.baseUrl,
    writes: 'texts',
    fault: async () => fault(running),
    [Symbol.asyncDispose]: async () => place[Symbol.asyncDispose](),
  };
}

async function killServer(running: Running): Promise<number> {
  const at = performance.now();
  running.server.kill('SIGKILL');
  await running.again();
  return at;
}

async function killDatabase(running: Running): Promise<number> {
  const pid = await running.place.postmasterPid();
  const at = performance.now();
  process.kill(pid, 'SIGKILL');
  await running.again();
  return at;
}

async function killOneOfTwo({ place, server }: Running): Promise<number> {
  const { log } = server;
  const ready = log.findLast(({ process: name }) => name === 'web-1');
  const pid = Number(ready?.['pid']);
  if (!(pid > 0)) throw new Error(`The pid of web-1 is not in the log of ${place.folder}.`);
  const at = performance.now();
  process.kill(pid, 'SIGKILL');
  return at;
}

async function suspend(pids: readonly number[]): Promise<number> {
  for (const pid of pids) signal(pid, 'SIGSTOP');
  await wait(lastsMs);
  const at = performance.now();
  for (const pid of pids) signal(pid, 'SIGCONT');
  return at;
}

async function suspendDatabase({ place }: Running): Promise<number> {
  const root = await place.postmasterPid();
  return suspend([root, ...(await descendantsOf(root))]);
}

async function fill(file: string): Promise<void> {
  const filler = await open(file, 'a');
  try {
    for (let size = 1 << 20; size >= 512;)
      await filler.appendFile(Buffer.alloc(size, 1)).catch(() => (size /= 2));
  } finally {
    await filler.close();
  }
}

/** A disk of its own that is full for a while; PostgreSQL may give some space back meanwhile. */
async function fullDisk(): Promise<Scene> {
  const place = await makePlace('none');
  const disk = join(place.folder, 'disk');
  await mkdir(disk);
  const size = `size=${diskMegabytes}m,mode=755`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk]);
  if (mounted.status !== 0)
    throw new Error('A full disk needs the right to mount one: run as root.');
  await copyPreparedFolder(join(disk, 'data'));
  const server = place.start({ DATA_DIR: join(disk, 'data') });
  await server.ready(place.baseUrl);
  const filler = join(disk, 'filler');
  return {
    baseUrl: place.baseUrl,
    writes: 'texts',
    fault: async () => {
      const until = performance.now() + lastsMs;
      while (performance.now() < until) {
        await fill(filler);
        await wait(100);
      }
      await rm(filler);
      return performance.now();
    },
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM');
      await server.ended;
      spawnSync('umount', [disk]);
      await place[Symbol.asyncDispose]();
    },
  };
}

/** A PostgreSQL of DATABASE_URL that is killed and started again after a while. */
async function ownDatabase(): Promise<Scene> {
  const clusters = await openReplicated();
  const cluster = await clusters.primary('primary');
  const url = `postgres://postgres@127.0.0.1:${cluster.port}/postgres`;
  const { place } = await start({ DATABASE_URL: url }, false);
  return {
    baseUrl: place.baseUrl,
    writes: 'texts',
    fault: async () => {
      await clusters.postgres.stop(cluster.data, 'immediate');
      await wait(lastsMs);
      await clusters.postgres.start(cluster.data, cluster.port);
      return performance.now();
    },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]();
      await clusters[Symbol.asyncDispose]();
    },
  };
}

async function frozenStore(): Promise<Scene> {
  const s3 = await startS3();
  const keys = {
    AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  };
  const { place } = await start({ MEDIA_STORE: s3.store, ...keys });
  return {
    baseUrl: place.baseUrl,
    writes: 'files',
    fault: async () => {
      await s3.freeze();
      await wait(lastsMs);
      s3.thaw();
      return performance.now();
    },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]();
      await s3[Symbol.asyncDispose]();
    },
  };
}

/** Limits are in force here, with numbers that nobody reaches, so that each request asks Redis. */
async function lostRedis(how: 'killed' | 'suspended'): Promise<Scene> {
  const redis = await startRedis();
  const place = await makePlace();
  const server = place.start({ REDIS_URL: redis.url, LIMITS: await wideLimits(place.folder) });
  await server.ready(place.baseUrl);
  return {
    baseUrl: place.baseUrl,
    writes: 'texts',
    fault: async () => {
      if (how === 'killed') await redis.kill();
      else await redis.freeze();
      await wait(lastsMs);
      if (how === 'killed') await redis.start();
      else redis.thaw();
      return performance.now();
    },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}

/** The faults by the names that the command takes. */
export const faults: Readonly<Record<string, Fault>> = {
  server: {
    what: 'server killed, started again at once',
    without: false,
    open: async () => onItsOwn({}, killServer),
  },
  process: {
    what: 'one of two processes killed',
    without: false,
    open: async () => onItsOwn({ PROCESSES: '2' }, killOneOfTwo),
  },
  database: {
    what: 'embedded PostgreSQL killed, server started again at once',
    without: false,
    open: async () => onItsOwn({}, killDatabase),
  },
  external: {
    what: 'PostgreSQL of DATABASE_URL killed, and back after 10 s',
    without: false,
    open: ownDatabase,
  },
  'stopped-server': {
    what: 'server suspended for 10 s (SIGSTOP)',
    without: false,
    open: async () => onItsOwn({}, async ({ server }) => suspend([server.pid])),
  },
  'stopped-database': {
    what: 'PostgreSQL suspended for 10 s (SIGSTOP)',
    without: false,
    open: async () => onItsOwn({}, suspendDatabase),
  },
  disk: { what: 'disk full for 10 s', without: false, open: fullDisk },
  store: {
    what: 'S3 store without an answer for 10 s, files',
    without: withoutS3,
    open: frozenStore,
  },
  redis: {
    what: 'Redis killed, for 10 s',
    without: withoutRedis,
    open: async () => lostRedis('killed'),
  },
  'stopped-redis': {
    what: 'Redis suspended for 10 s (SIGSTOP)',
    without: withoutRedis,
    open: async () => lostRedis('suspended'),
  },
};

// The lock that allows one server at a time on a data folder.
//
// It is a kernel lock (flock) on an open file, because only the kernel releases a lock at the moment its
// owner dies, even after kill -9: no lock can be stale, and there is no race in detecting one. It also works
// between containers that share a volume, where pids are meaningless. Node cannot call flock, so on Linux
// flock(1) locks the descriptor that it inherits from this process: the lock belongs to the open file, which
// stays open here after flock(1) ended and which no other child inherits. macOS takes the same lock while
// opening. The file is not removed when the lock is released: otherwise two servers could lock two files of
// the same name.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errnoOf, failure, orExternal } from './failure.ts';
import { findTool } from './launch.ts';

const DARWIN_EXLOCK = 0x20;

// A process that was just killed keeps its lock until the kernel has cleaned it up.
const HOLDER_DIES_S = '0.5';

/**
 * Locks `dataDir` until disposed or until this process ends.
 * @throws Error if another process has the lock
 */
export async function takeLock(dataDir: string): Promise<Disposable> {
  const path = join(dataDir, 'server.lock');
  const fd =
    process.platform === 'darwin' ? openLocked(path, dataDir) : await lockWithTool(path, dataDir);
  ftruncateSync(fd);
  writeSync(fd, `${process.pid}\n`, 0);
  let open = true;
  return {
    [Symbol.dispose]: () => {
      if (!open) return;
      open = false;
      // A pid that outlives its process may become that of another one, which a signal would end.
      ftruncateSync(fd);
      closeSync(fd);
    },
  };
}

async function lockWithTool(path: string, dataDir: string): Promise<number> {
  const tool = await findTool('flock');
  if (tool === undefined) {
    throw failure(
      `The command flock is missing on this machine: install util-linux, ${orExternal}.`,
    );
  }
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  fchmodSync(fd, 0o600);
  const locker = spawn(tool, ['--exclusive', '--timeout', HOLDER_DIES_S, '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  const [code] = (await once(locker, 'exit')) as [number | null];
  if (code === 0) return fd;
  closeSync(fd);
  if (code === 1) throw takenError(path, dataDir);
  throw failure(
    `${dataDir} is on a file system that does not support locks: set DATA_DIR to a local disk, ${orExternal}.`,
  );
}

function openLocked(path: string, dataDir: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | DARWIN_EXLOCK;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    throw errnoOf(error) === 'EAGAIN' ? takenError(path, dataDir) : error;
  }
}

function takenError(path: string, dataDir: string): Error {
  const holder = readFileSync(path, 'utf8').trim();
  const who = holder === '' ? 'Another Colophon' : `Another Colophon (process ${holder})`;
  return failure(
    `${who} already uses ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  );
}

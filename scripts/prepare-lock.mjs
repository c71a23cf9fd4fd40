// A lock file for installations in a folder: contains the owner's pid, is touched while the owner runs.
import {
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';

const beatMilliseconds = 1000;
const oldMilliseconds = 15_000;

/** An error that the user can resolve, as one sentence. */
export class Failure extends Error {}

function read(file) {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, age: Date.now() - statSync(file).mtimeMs, ...JSON.parse(text) };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    // The file is incomplete: its writer has not finished yet, or never will.
    if (error instanceof SyntaxError) return { text: '', age: Date.now() - statSync(file).mtimeMs };
    throw error;
  }
}

function lives(pid) {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  try {
    // The pid may have been reused by another program; only Linux shows which one runs.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').match(/node|npm/) !== null;
  } catch {
    return true;
  }
}

/** Whether the lock is abandoned: its owner and the npm that it started have both ended. */
function isAbandoned(held) {
  if (held.host !== hostname()) return held.age > oldMilliseconds;
  if (lives(held.installer)) return false;
  return !lives(held.pid) || held.age > oldMilliseconds;
}

function create(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    // A link is created completely or not at all, and never replaces a file.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

async function isGone(pid, milliseconds) {
  for (let waited = 0; waited < milliseconds && lives(pid); waited += 100) await pause(100);
  return !lives(pid);
}

async function stop(pid, signal) {
  if (!lives(pid)) return;
  process.kill(pid, signal);
  // npm cleans up when it is stopped, which takes time. Whatever it leaves counts as stale on the next start.
  if (await isGone(pid, 3000)) return;
  process.kill(pid, 'SIGKILL');
  await isGone(pid, 5000);
}

/**
 * Handles a signal as a shell expects it: stops npm, removes the lock, and exits with the status of the
 * signal.
 */
function releaseOnSignal(mine) {
  for (const [signal, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]) {
    const giveWay = async () => {
      await stop(mine.installer, signal);
      mine.release();
      process.exit(128 + number);
    };
    process.once(signal, () => void giveWay());
  }
}

function hold(file) {
  const mine = { installer: undefined, nameInstaller, release };
  const beating = setInterval(beat, beatMilliseconds);
  beating.unref();

  function beat() {
    const now = new Date();
    utimesSync(file, now, now);
  }
  function nameInstaller(pid) {
    mine.installer = pid;
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname(), installer: pid }));
  }
  function release() {
    clearInterval(beating);
    rmSync(file, { force: true });
  }
  releaseOnSignal(mine);
  return mine;
}

/** Waits until this process has the lock. */
export async function takeLock(file) {
  let told = false;
  for (;;) {
    if (create(file, JSON.stringify({ pid: process.pid, host: hostname() }))) return hold(file);
    const held = read(file);
    if (held !== undefined && isAbandoned(held)) {
      // Read twice, because another waiter may have removed the lock and taken it.
      const again = read(file);
      if (again !== undefined && again.text === held.text) unlinkSync(file);
      continue;
    }
    if (!told && held !== undefined) {
      told = true;
      process.stderr.write(
        `Another command is installing the packages (process ${held.pid}); this one waits for it.\n`,
      );
    }
    await pause(200);
  }
}

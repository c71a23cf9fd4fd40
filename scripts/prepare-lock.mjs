// A lock between installations of one folder: a file with its holder's pid, kept young while the holder lives.
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

/** What a person can do something about, in one sentence. */
export class Failure extends Error {}

function read(file) {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, age: Date.now() - statSync(file).mtimeMs, ...JSON.parse(text) };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    // Half written: its writer has not come to the end yet, or never will.
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
    // A pid that was given to something else since; only Linux can say.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').match(/node|npm/) !== null;
  } catch {
    return true;
  }
}

/** Held by nobody any more: the holder and the npm that it started are both gone. */
function isAbandoned(held) {
  if (held.host !== hostname()) return held.age > oldMilliseconds;
  if (lives(held.installer)) return false;
  return !lives(held.pid) || held.age > oldMilliseconds;
}

function create(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    // A link appears whole or not at all, and never over another.
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
  // npm puts things back when it is stopped, and takes its time; what it leaves is stale for the next start anyway.
  if (await isGone(pid, 3000)) return;
  process.kill(pid, 'SIGKILL');
  await isGone(pid, 5000);
}

/** Gives way to a signal as the shell expects it: npm stops first, then the lock goes, and the exit status says why. */
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

/** Waits until this process is the only one that installs here. */
export async function takeLock(file) {
  let told = false;
  for (;;) {
    if (create(file, JSON.stringify({ pid: process.pid, host: hostname() }))) return hold(file);
    const held = read(file);
    if (held !== undefined && isAbandoned(held)) {
      // Looked at twice, because another waiter may have cleared it and taken its place.
      const again = read(file);
      if (again !== undefined && again.text === held.text) unlinkSync(file);
      continue;
    }
    if (!told && held !== undefined) {
      told = true;
      process.stderr.write(
        `Another command is installing the packages (process ${held.pid}); waiting for it.\n`,
      );
    }
    await pause(200);
  }
}

// Reads postmaster.pid and checks whether the server that it names really runs on this folder.

import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processFields } from '#runtime';
import { errnoOf } from './failure.ts';

export type PidFile = { pid: number; socketFolder: string; ready: boolean };

/** Returns the content of postmaster.pid; undefined if it is missing, `broken` if it names no process. */
export async function readPidFile(folder: string): Promise<PidFile | 'broken' | undefined> {
  const content = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (content === undefined) return undefined;
  const lines = content.split('\n');
  // PostgreSQL writes a negative number in single-user mode.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  if (!Number.isInteger(pid) || pid === 0) return 'broken';
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/** Returns the postmaster that runs on this folder, if postmaster.pid is correct. */
export async function findPostmaster(folder: string): Promise<PidFile | undefined> {
  const file = await readPidFile(folder);
  if (file === undefined || file === 'broken') return undefined;
  return (await isServerOf(file.pid, folder)) ? file : undefined;
}

/**
 * Returns the `cluster_name`, a mark in the command line and process titles of every server of this folder.
 */
export function clusterName(folder: string): string {
  return `colophon-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

/** Whether `pid` is a live PostgreSQL process, not a zombie, that uses this folder. */
export async function isServerOf(pid: number, folder: string): Promise<boolean> {
  if (pid === process.pid) return false;
  if (process.platform !== 'linux') return isMarked(await askPs(pid), folder);
  const place = `/proc/${pid}`;
  const [state] = processFields(pid) ?? [];
  if (state === undefined || state === 'Z' || state === 'X') return false;
  try {
    const [home, wanted] = await Promise.all([stat(join(place, 'cwd')), stat(folder)]);
    if (home.dev !== wanted.dev || home.ino !== wanted.ino) return false;
    return /\/postgres(?: \(deleted\))?$/.test(await readlink(join(place, 'exe')));
  } catch {
    // Root in a container may not inspect another user's process, but may read its command line.
    return isMarked(await readFile(join(place, 'cmdline'), 'latin1').catch(() => ''), folder);
  }
}

/** Returns every PostgreSQL process that uses this folder, on Linux only; elsewhere an empty list. */
export async function listServers(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ours = await Promise.all(pids.map((pid) => isServerOf(pid, folder)));
  return pids.filter((_, index) => ours[index]);
}

function isMarked(commandLine: string, folder: string): boolean {
  const marked =
    commandLine.includes(clusterName(folder)) || commandLine.split(/[\0\s]/).includes(folder);
  return marked && /(?:^|[/\s])postgres\b/.test(commandLine);
}

/** Returns state and command line of a process; empty if it has ended or is a zombie. */
async function askPs(pid: number): Promise<string> {
  const answer = await promisify(execFile)('/bin/ps', [
    '-ww',
    '-o',
    'stat=,command=',
    '-p',
    String(pid),
  ]).catch(() => undefined);
  const line = answer?.stdout.trim() ?? '';
  return line.startsWith('Z') ? '' : line;
}

// The jobs that every server of the comparison is asked to do, as far as it has them.

interface Job {
  readonly title: string;
  readonly connections: number;
  /** At most this long, where each operation fills the disk. */
  readonly seconds?: number;
}

/** How many documents each server holds, where nothing else is said. */
export const documents = 10_000;

/** The size of an article in bytes. */
export const articleBytes = 4096;

const allJobs = {
  read1: { title: 'read one, JSON, 1 connection', connections: 1 },
  read: { title: 'read one, JSON', connections: 32 },
  readWithToken: { title: 'read one, JSON, with a token', connections: 32 },
  read128: { title: 'read one, JSON, 128 connections', connections: 128 },
  page: { title: 'page of 20, JSON', connections: 32 },
  html: { title: 'article page, HTML', connections: 32 },
  front: { title: 'front page, HTML', connections: 32 },
  search: { title: 'search two words', connections: 32 },
  create: { title: 'create', connections: 32 },
  publish: { title: 'create and publish', connections: 32 },
  comment: { title: 'comment', connections: 32 },
  upload1: { title: 'upload 1 MiB', connections: 4 },
  upload20: { title: 'upload 20 MiB', connections: 4, seconds: 2 },
} satisfies Readonly<Record<string, Job>>;

export type JobName = keyof typeof allJobs;

export const jobs: Readonly<Record<JobName, Job>> = allJobs;

export const jobNames = Object.keys(jobs) as readonly JobName[];

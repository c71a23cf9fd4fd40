// A log of 600 leaves that a reader has audited, an operator with every key, and leaves as a service writes them.
import assert from 'node:assert/strict';
import { makeNoteKey, openLogFolder } from '../../../tlog/test/log-folder.ts';
import type { LogFolder, NoteKey } from '../../../tlog/test/log-folder.ts';
import { openHome } from '../run-cli.ts';
import type { Home } from '../run-cli.ts';
import { serveLog } from './log-service.ts';
import type { LogService } from './log-service.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
export const idOf = (index: number) => `01${index.toString(10).padStart(24, '0')}`;
export const timeOf = (index: number) => new Date(start + index * 1000).toISOString();

/** A publication as the log of a service has it. */
export function leaf(index: number, changes: object = {}): Buffer {
  const members = {
    article: idOf(index),
    at: timeOf(index),
    author: idOf(1),
    commitment: '0'.repeat(64),
    key: null,
    kind: 'publication',
    owner: null,
    published_at: timeOf(index),
    revision: idOf(index),
    signed: false,
    v: 1,
    ...changes,
  };
  return Buffer.from(JSON.stringify(members));
}

export const size = 600;
export const history = (count = size, from = 0) =>
  Array.from({ length: count }, (_, index) => leaf(from + index));

/** Leaves of this moment. */
export const fresh = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => {
    const now = new Date().toISOString();
    return leaf(from + index, { at: now, published_at: now });
  });

export interface Scene extends AsyncDisposable {
  readonly operator: LogFolder;
  readonly service: LogService;
  readonly home: Home;
  readonly key: NoteKey;
  audit(more?: string): ReturnType<Home['run']>;
  report(more?: string): Promise<Report>;
}

export interface Report {
  readonly code: number;
  readonly size: number;
  readonly findings: readonly {
    kind: string;
    leaf: number | null;
    path?: string;
    detail: string;
  }[];
  readonly earlier_dates: readonly { leaf: number }[];
  readonly evidence?: { readonly remembered: string; readonly received: string };
}

/** A log of 600 leaves that a reader has audited. */
export async function scene(): Promise<Scene> {
  const key = makeNoteKey('log.example/log', 1);
  const operator = await openLogFolder();
  await operator.publish(history(), [key]);
  const service = await serveLog(operator.folder, key.text);
  const home = await openHome({ COLOPHON_URL: service.url });
  const audit: Scene['audit'] = (more = '') =>
    home.run(`log audit --no-compare --folder mirror${more}`);
  const report: Scene['report'] = async (more = '') => {
    const { code, out, err } = await audit(`${more} --json`);
    assert.notEqual(out, '', err);
    return { code, ...(JSON.parse(out) as Omit<Report, 'code'>) };
  };
  const first = await report();
  assert.deepEqual([first.code, first.size, first.findings], [0, size, []]);
  return {
    operator,
    service,
    home,
    key,
    audit,
    report,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([operator, service, home].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

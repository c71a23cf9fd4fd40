// Tests of what the operator reads if the bucket of BACKUP_TO cannot be used.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openBackupFiles } from './index.ts';

Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'the-key', AWS_SECRET_ACCESS_KEY: 'the-secret' });

/** As Ceph's gateway answers: without a message. */
const absent = '<?xml version="1.0"?><Error><Code>NoSuchBucket</Code></Error>';

test('a bucket that is not there, and a store that does not run, are named with what to do', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/xml' }).end(absent);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => void server.close(closed));
  };
  t.after(close);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { bucket: 'no-such-bucket', endpoint: `http://${host}`, region: 'default' };
  await using files = await openBackupFiles(place);
  const sentence = (reason: string) => ({
    message:
      `BACKUP_TO names the bucket no-such-bucket at ${host}, which cannot be used (${reason}): set it to a ` +
      'bucket of a running store, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that can list, ' +
      'write and delete there.',
  });
  const chunks = (async function* one() {
    yield Buffer.from('x');
  })();
  await assert.rejects(files.list(), sentence('NoSuchBucket'));
  await assert.rejects(files.sweep(new Date()), sentence('NoSuchBucket'));
  await assert.rejects(files.put('a.tar', chunks), sentence('NoSuchBucket'));
  await close();
  await assert.rejects(files.list(), sentence('ECONNREFUSED'));
});

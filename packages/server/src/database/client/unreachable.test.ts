// Tests of what a start says about a database server that runs and refuses the connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreachable } from './pooler.ts';

const sentenceFor = (message: string, code?: string) =>
  unreachable(Object.assign(new Error(message), code === undefined ? {} : { code })).message;

test('a server that refuses the connection is not said to be stopped: the advice fits its reason', () => {
  for (const [code, advice] of [
    ['3D000', /create it, or correct the name of the database in DATABASE_URL\.$/],
    [
      '28000',
      /create the role or admit it in pg_hba\.conf, or correct the user in DATABASE_URL\.$/,
    ],
    ['28P01', /correct the user and the password in DATABASE_URL\.$/],
    ['53300', /raise max_connections there, or end other connections\.$/],
  ] as const) {
    const sentence = sentenceFor('no', code);
    assert.match(sentence, /^The database of DATABASE_URL refuses the connection \(no\): /);
    assert.match(sentence, advice);
  }
  for (const code of [undefined, 'ECONNREFUSED'])
    assert.match(
      sentenceFor('no', code),
      /cannot be reached \(no\): start it, or set DATABASE_URL/,
    );
});

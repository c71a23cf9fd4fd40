// What is a secret in settings that are lists of addresses, and what is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretHider } from './secrets.ts';

test('of several standbys every password is hidden, and no host or user', () => {
  for (const between of [',', ', ', '\n']) {
    const urls = ['first', 'second'].map(
      (name) => `postgres://service:${name}-password@${name}.example:5433/service`,
    );
    // A block of YAML may begin with a line break.
    const hide = secretHider({ REPLICA_URLS: `\n  ${urls.join(between)}` });
    assert.equal(hide('service at first.example'), 'service at first.example');
    assert.equal(
      hide('connect ECONNREFUSED second.example:5433'),
      'connect ECONNREFUSED second.example:5433',
    );
    assert.equal(hide('first-password second-password'), '[redacted] [redacted]');
  }
});

test('a password with a comma and slashes is hidden as a whole', () => {
  for (const name of ['DATABASE_URL', 'REPLICA_URLS']) {
    const hide = secretHider({ [name]: 'postgres://service:half,other://x@db/service' });
    assert.equal(hide('half,other://x'), '[redacted]');
  }
});

test('a password in the endpoint of a store hides the password, and not what the setting should be', () => {
  const hide = secretHider({ MEDIA_STORE: 's3://bucket?endpoint=http://person:not-shown@h' });
  const sentence = 'MEDIA_STORE is malformed: set it to s3://bucket?endpoint=https://host';
  assert.equal(hide(sentence), sentence);
  assert.equal(hide('s3://bucket?endpoint=http://person:not-shown@h').includes('not-shown'), false);
});

// Which Content-Type headers say that a body is JSON in UTF-8.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonType } from './headers.ts';

const accepted = [
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset = "utf-8"',
  'application/json; Charset="UTF\\-8"',
  'application/json;',
  'application/json ;; charset=utf-8 ; ',
  'application/json; odata.metadata=minimal',
  'application/json; a="x; charset=latin1"',
  'application/json; v=2; charset=utf-8',
];

const refused = [
  '',
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/json-patch+json',
  'application/problem+json',
  'application/json, application/json',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=latin1',
  'application/json; charset=""',
  'application/json; charset',
  'application/json; a="open',
  'application/json; a=b c',
  'application/json; =b',
  'application/json charset=utf-8',
];

test('JSON, whatever parameters other than a charset come with it', () => {
  for (const header of accepted) assert.equal(isJsonType(header), true, header);
});

test('neither other types, nor other charsets, nor what is not a media type', () => {
  for (const header of refused) assert.equal(isJsonType(header), false, header);
});

// Tests of escaping for HTML and XML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeAttribute, escapeText } from './escape.ts';

test('text becomes HTML that shows it', () => {
  assert.equal(escapeText('<b>&lt;"it\'s"'), '&lt;b&gt;&amp;lt;"it\'s"');
  assert.equal(escapeAttribute('<b>&lt;"it\'s"'), "&lt;b&gt;&amp;lt;&quot;it's&quot;");
});

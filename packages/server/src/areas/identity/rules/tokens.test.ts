// Tests of the rules of tokens, row by row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryScopes, scopes as allScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { grantedScopes, scopesBeyond, tokenFaults } from './tokens.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const earlier = '2026-03-01T11:59:59.999Z';
const soon = '2026-03-01T12:00:00.001Z';
const later = '2026-03-02T12:00:00.000Z';

const grants: readonly [
  string,
  readonly Scope[],
  readonly Scope[] | undefined,
  'human' | 'agent',
  readonly Scope[],
][] = [
  ['what was asked for', allScopes, ['admin:manage'], 'human', ['admin:manage']],
  ['nothing, when nothing was asked for', allScopes, [], 'human', []],
  ['all but admin scopes for a person', allScopes, undefined, 'human', ordinaryScopes],
  [
    'all but admin scopes and agents:manage for an agent',
    allScopes,
    undefined,
    'agent',
    ordinaryScopes.filter((scope) => scope !== 'agents:manage'),
  ],
  [
    'no more than the issuer has',
    ['events:read', 'admin:moderate'],
    undefined,
    'human',
    ['events:read'],
  ],
];
for (const [what, held, asked, kind, expected] of grants) {
  test(`a token gets ${what}`, () => {
    assert.deepEqual(
      grantedScopes({ scopes: held }, { scopes: asked, expiresAt: null }, kind),
      expected,
    );
  });
}

test('scopes beyond the issuer’s are exactly those that it lacks', () => {
  assert.deepEqual(scopesBeyond({ scopes: ['articles:read'] }, ['articles:read', 'events:read']), [
    'events:read',
  ]);
  assert.deepEqual(scopesBeyond({ scopes: allScopes }, allScopes), []);
  assert.deepEqual(scopesBeyond({ scopes: [] }, []), []);
});

const expiries: readonly [string, string | null, string | null, string | undefined][] = [
  ['no end from no end', null, null, undefined],
  ['an end from no end', null, later, undefined],
  ['an end that has passed', null, earlier, 'past'],
  ['an end that is now', null, now.toISOString(), 'past'],
  ['no end from an end', later, null, 'required'],
  ['the same end', later, later, undefined],
  ['an earlier end', later, soon, undefined],
  ['a later end', soon, later, 'too-late'],
];
for (const [what, issuer, asked, code] of expiries) {
  test(`${what}: ${code ?? 'is granted'}`, () => {
    const faults = tokenFaults(
      { token: { id: 'x', expiresAt: issuer } },
      { scopes: [], expiresAt: asked },
      'human',
      now,
    );
    assert.deepEqual(
      faults.map((fault) => [fault.pointer, fault.code]),
      code === undefined ? [] : [['/expires_at', code]],
    );
  });
}

test('a session has no end to keep to', () => {
  assert.deepEqual(
    tokenFaults({ token: null }, { scopes: undefined, expiresAt: null }, 'human', now),
    [],
  );
});

test('every scope that is not for agents is named at its place, beside the wrong end', () => {
  const input = { scopes: allScopes, expiresAt: earlier };
  const faults = tokenFaults({ token: null }, input, 'agent', now);
  const refused = (['agents:manage', 'admin:moderate', 'admin:manage'] as const).map(
    (scope) => `/scopes/${allScopes.indexOf(scope)}`,
  );
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    [...refused, '/expires_at'],
  );
  assert.deepEqual(tokenFaults({ token: null }, { ...input, expiresAt: later }, 'human', now), []);
});

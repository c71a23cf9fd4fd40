// Ceremonies and records of the caller’s own passkeys and recovery codes.
import { closedObject } from '../fields.ts';
import { operation } from '../operation.ts';
import { Answered, Begun, PasskeyName, PasskeyRecord, RecoveryCodes } from './ceremony-fields.ts';
import { Type } from '../schema.ts';

export const beginCheck = operation('beginCheck', {
  method: 'POST',
  path: '/-/check/begin',
  summary: 'Begin to confirm with a passkey that you are present',
  access: 'token',
  suspendedToo: true,
  answers: { 200: Begun },
  problems: [],
});

export const finishCheck = operation('finishCheck', {
  method: 'POST',
  path: '/-/check',
  summary: 'Confirm with a passkey that you are present',
  access: 'token',
  suspendedToo: true,
  body: Answered,
  answers: { 204: null },
  problems: [],
});

export const beginPasskey = operation('beginPasskey', {
  method: 'POST',
  path: '/-/passkeys/begin',
  summary: 'Begin to add a passkey',
  access: 'token',
  suspendedToo: true,
  answers: { 200: Begun },
  problems: ['conflict', 'forbidden'],
});

export const addPasskey = operation('addPasskey', {
  method: 'POST',
  path: '/-/passkeys',
  summary: 'Add a passkey',
  access: 'token',
  suspendedToo: true,
  body: closedObject({ ...Answered.properties, name: Type.Optional(PasskeyName) }),
  answers: { 201: PasskeyRecord },
  problems: ['conflict', 'forbidden'],
});

export const listPasskeys = operation('listPasskeys', {
  method: 'GET',
  path: '/-/passkeys',
  summary: 'List your passkeys',
  access: 'token',
  answers: {
    200: closedObject({ items: Type.Array(PasskeyRecord), recovery_codes_left: Type.Integer() }),
  },
  problems: [],
});

export const renamePasskey = operation('renamePasskey', {
  method: 'PATCH',
  path: '/-/passkeys/{id}',
  summary: 'Name a passkey',
  access: 'token',
  suspendedToo: true,
  body: closedObject({ name: PasskeyName }),
  answers: { 200: PasskeyRecord },
  problems: [],
});

export const removePasskey = operation('removePasskey', {
  method: 'DELETE',
  path: '/-/passkeys/{id}',
  summary: 'Remove a passkey; the last one stays',
  access: 'token',
  suspendedToo: true,
  answers: { 204: null },
  problems: ['conflict', 'forbidden'],
});

export const renewRecoveryCodes = operation('renewRecoveryCodes', {
  method: 'POST',
  path: '/-/recovery-codes',
  summary: 'Replace your recovery codes by new ones',
  access: 'token',
  suspendedToo: true,
  answers: { 201: closedObject({ recovery_codes: RecoveryCodes }) },
  problems: ['forbidden'],
  secrets: ['recovery_codes'],
});

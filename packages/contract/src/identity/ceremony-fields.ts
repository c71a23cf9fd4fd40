// Fields of the ceremonies of the web application.
import { closedObject, idOf, nullable, text, Timestamp } from '../fields.ts';
import { sessionLimits } from './session-limits.ts';
import { Type } from '../schema.ts';

const CeremonyId = idOf('the ceremony that was begun; it ends with this request');

/** WebAuthn Level 3, section 5.1.8 and 5.1.9: options as JSON, which the browser parses. */
const Options = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

/** The browser's answer as JSON (WebAuthn Level 3, section 5.1): checked by its verification. */
const Credential = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxBytes: sessionLimits.credential_bytes_max,
  description: 'the result of navigator.credentials, as its toJSON() returns it',
});

export const Begun = closedObject({ ceremony_id: CeremonyId, options: Options });
export const Answered = closedObject({ ceremony_id: CeremonyId, credential: Credential });

export const PasskeyName = text(sessionLimits.passkey_name_min, sessionLimits.passkey_name_max);
export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'shown once, each for one use',
});

export const PasskeyRecord = closedObject({
  id: idOf('the passkey'),
  name: Type.String(),
  /** Whether the provider of the passkey keeps a copy, so that it works on other devices. */
  backed_up: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
});

export const SessionRecord = closedObject({
  id: idOf('the session'),
  device: Type.String({ description: 'browser and system, such as Firefox on Linux' }),
  network: nullable(Type.String({ description: 'of its last use: /24 of IPv4, /48 of IPv6' })),
  current: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
});

export const SignedIn = closedObject({ username: Type.String(), passkeys: Type.Integer() });

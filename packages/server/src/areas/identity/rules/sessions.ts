// The rules of sessions: how long they last, what is stored about a browser, recovery codes. Pure.
import { hash, randomBytes } from 'node:crypto';
import { sessionLimits } from '@colophon/contract';
import { fromCrockford, toCrockford } from '@colophon/text/lib/crockford';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export function sessionEnd(now: Date): Date {
  return new Date(now.getTime() + sessionLimits.days * dayMs);
}

/** Returns the time since which a session must have been used. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - sessionLimits.idle_days * dayMs);
}

export function ceremonyEnd(now: Date): Date {
  return new Date(now.getTime() + sessionLimits.ceremony_minutes * minuteMs);
}

export function webLinkEnd(now: Date): Date {
  return new Date(now.getTime() + sessionLimits.web_link_minutes * minuteMs);
}

/** 4 groups of 5 digits of 5 bits. */
const codeDigits = 20;
const codeBytes = 13;

/** Returns a recovery code of 100 random bits, in groups that can be copied by hand. */
function mintRecoveryCode(): string {
  const bits = BigInt(`0x${randomBytes(codeBytes).toString('hex')}`);
  const digits = Array.from({ length: codeDigits }, (_, at) =>
    toCrockford(Number((bits >> BigInt(5 * at)) & 31n), 1),
  ).join('');
  return (digits.match(/.{5}/g) ?? []).join('-');
}

function hashOfCode(digits: string): Buffer {
  return hash('sha256', digits, 'buffer');
}

export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly Buffer[];
}

export function mintRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: sessionLimits.recovery_codes }, mintRecoveryCode);
  return { codes, hashes: codes.map((code) => hashOfCode(code.replaceAll('-', ''))) };
}

/** Returns the hash of a code as it was typed, in any case and grouping; undefined for what is not a code. */
export function readRecoveryCode(typed: string): Buffer | undefined {
  const digits = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (digits.length !== codeDigits || Number.isNaN(fromCrockford(digits, 0, 10))) return undefined;
  return Number.isNaN(fromCrockford(digits, 10, 20)) ? undefined : hashOfCode(digits);
}

// Signatures made by arithmetic on edwards25519, so that keys, points and scalars can be what no signer makes.
import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

/** The prime order of the group. */
export const groupOrder = Point.CURVE().n;
export const fieldPrime = Point.CURVE().p;

/** 32 bytes, little-endian. */
export function littleEndian(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/** A scalar that is the same in every run. */
export function scalarOf(seed: string): bigint {
  return numberOf(createHash('sha512').update(seed).digest()) % groupOrder;
}

export function times(point: Point, factor: bigint): Point {
  return point.multiply(((factor % groupOrder) + groupOrder) % groupOrder, false);
}

function timesGroupOrder(point: Point): Point {
  return times(point, groupOrder - 1n).add(point);
}

function isPointAt(y: bigint): Point | undefined {
  try {
    return Point.fromBytes(littleEndian(y));
  } catch {
    return undefined;
  }
}

function pointOfOrderEight(): Point {
  for (let y = 2n; ; y += 1n) {
    const point = isPointAt(y);
    const torsion = point === undefined ? Point.ZERO : timesGroupOrder(point);
    if (!times(torsion, 4n).is0()) return torsion;
  }
}

const generator = pointOfOrderEight();

/** The eight points of small order: `torsion[i]` is i times a point of order 8. */
export const torsion: readonly Point[] = Array.from({ length: 8 }, (_, factor) =>
  times(generator, BigInt(factor)),
);

/** The order-2 point (0, -1) with a sign that zero does not have: not canonical, and reads as itself. */
export const minusOneWithSign = Buffer.from(`ec${'ff'.repeat(31)}`, 'hex');

/** SHA-512(R ‖ A ‖ M) as a number below the group order (RFC 8032 section 5.1.7). */
function challengeOf(r: Uint8Array, a: Uint8Array, message: Uint8Array): bigint {
  const digest = createHash('sha512').update(r).update(a).update(message).digest();
  return numberOf(digest) % groupOrder;
}

export interface Input {
  /** A is `secret` times the base point plus `torsion[keyTorsion]`. */
  readonly secret: bigint;
  readonly keyTorsion?: number;
  /** R likewise. */
  readonly blind: bigint;
  readonly blindTorsion?: number;
  /** Bytes to send in place of the canonical ones of A or R. */
  readonly keyAs?: Buffer;
  readonly blindAs?: Buffer;
  /** Hash the canonical bytes though others are sent. */
  readonly hashCanonical?: boolean;
  /** How often the group order is added to S. */
  readonly overflow?: bigint;
}

export interface Forgery {
  readonly publicKey: Buffer;
  readonly signature: Buffer;
  readonly message: Buffer;
  readonly challenge: bigint;
  /** R + kA - SB, which is zero where the equation without cofactor holds. */
  readonly difference: Point;
}

/** Makes A, R and an S for which the equation with cofactor holds: 8R + 8kA = 8SB. */
export function forge(input: Input, message: Buffer): Forgery {
  const { secret, blind, keyTorsion = 0, blindTorsion = 0 } = input;
  const small = (index: number) => torsion[index] ?? Point.ZERO;
  const a = times(Point.BASE, secret).add(small(keyTorsion));
  const r = times(Point.BASE, blind).add(small(blindTorsion));
  const [canonicalA, canonicalR] = [Buffer.from(a.toBytes()), Buffer.from(r.toBytes())];
  const [publicKey, sentR] = [input.keyAs ?? canonicalA, input.blindAs ?? canonicalR];
  const challenge = input.hashCanonical
    ? challengeOf(canonicalR, canonicalA, message)
    : challengeOf(sentR, publicKey, message);
  const s = (blind + challenge * secret) % groupOrder;
  const signature = Buffer.concat([sentR, littleEndian(s + (input.overflow ?? 0n) * groupOrder)]);
  const difference = r.add(times(a, challenge)).subtract(times(Point.BASE, s));
  return { publicKey, signature, message, challenge, difference };
}

/** The first of a fixed row of messages for which the forgery is as it should be. */
export function forgeUntil(input: Input, isRight: (forgery: Forgery) => boolean): Forgery {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const forgery = forge(input, Buffer.from(`message ${attempt}`));
    if (isRight(forgery)) return forgery;
  }
  throw new Error('No message makes such a forgery: what was asked for contradicts itself.');
}

/**
 * How most verifiers did it for years: A read leniently, S below the order, no cofactor, R compared as
 * bytes. It takes keys of small order, and shows that a case is dangerous without close checks.
 */
export function isAcceptedNaively({ publicKey, message, signature }: Forgery): boolean {
  const sent = signature.subarray(0, 32);
  const s = numberOf(signature.subarray(32));
  if (s >= groupOrder) return false;
  const challenge = challengeOf(sent, publicKey, message);
  const minusKey = Point.fromBytes(publicKey, true).negate();
  const r = times(Point.BASE, s).add(times(minusKey, challenge));
  return sent.equals(r.toBytes());
}

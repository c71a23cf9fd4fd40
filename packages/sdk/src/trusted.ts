// The trust that a caller gives a verifier, in one of its two forms.
import type { TrustedLog } from './log-types.ts';
import type { KeyRecord } from './proof-shape.ts';

/**
 * Public keys that you know from another source: from the author, from their website, from an earlier proof.
 */
export interface TrustedPublicKeys {
  /** The service whose articles you expect: `base_url` of GET /v1/meta. */
  readonly baseUrl: string;
  /** Base64url or base64 of the 32 bytes. */
  readonly publicKeys: readonly string[];
  /** The agent that owns these keys. If left out, the verdict does not name the author. */
  readonly authorId?: string | undefined;
  /**
   * A time at which you know that the signature existed, because you or a party you trust saw the proof then.
   * A compromised key is accepted only with it.
   */
  readonly seenAt?: string | undefined;
  /** The transparency log that must contain what a proof says is in it. */
  readonly log?: TrustedLog | undefined;
}

/** The keys of an agent, fetched earlier from the service itself with `readKeyHistory`. */
export interface KeyHistory {
  /** The service that returned the history: `base_url` of GET /v1/meta. */
  readonly baseUrl: string;
  /** Items of GET /v1/agents/{id}/keys, all pages. */
  readonly keys: readonly KeyRecord[];
  /** As in TrustedPublicKeys. */
  readonly seenAt?: string | undefined;
  /** As in TrustedPublicKeys. */
  readonly log?: TrustedLog | undefined;
}

export type Trusted = TrustedPublicKeys | KeyHistory;

/** The basis of the verdict. */
export interface TrustEcho {
  readonly base_url: string;
  readonly keys: 'public-keys' | 'key-history';
  readonly seen_at: string | null;
}

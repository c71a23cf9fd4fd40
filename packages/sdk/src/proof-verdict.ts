// The verdict on a proof.
import type { LoggedFacts, LogReason } from './log-types.ts';
import type { ProofKey, TrustReason } from './proof-trust.ts';
import type { TrustEcho } from './trusted.ts';

/**
 * Why a proof is refused. `malformed`: it is not a proof, or contradicts itself. `signing-input`: the signed
 * input differs from the proof's description of the revision. `chain`: the previous revision is another one.
 * `content-hash`: the text is another one. `unsigned`: there is no signature; the rest is consistent.
 * `signature`: it does not verify. `key`: the key was not valid when it signed. The others are about the
 * transparency log (LogReason).
 */
export type ProofReason =
  | 'malformed'
  | 'signing-input'
  | 'chain'
  | 'content-hash'
  | 'unsigned'
  | 'signature'
  | 'key'
  | LogReason;

/**
 * What the verdict does not confirm. `service`, `key`: only the proof names them, because no trust (or
 * another one) was given. `author`: that the author owns the key. `key_state`: whether the key was revoked or
 * compromised. `text`: no text was given. `previous`: the previous revision, which is not signed;
 * `previous_matches` says whether you gave a matching proof. `signed_at`: the time of the signature, which is
 * not signed. `published_at`: the time of the publication, likewise. `log`: whether the publication is in the
 * transparency log.
 */
export type Unchecked =
  | 'service'
  | 'key'
  | 'author'
  | 'key_state'
  | 'text'
  | 'previous'
  | 'signed_at'
  | 'published_at'
  | 'log';

/**
 * What is known of the transparency log. `included`: the log that you trust contains this publication.
 * `absent`: the proof does not say that it does; a publication needs a few seconds to get there.
 * `not-checked`: you named no log, or the proof is of another one.
 */
export type LogState = 'included' | 'absent' | 'not-checked';

/** The contents of a proof whose signature verifies. */
export interface ProofFacts {
  /** The service that the author signed for. */
  readonly base_url: string;
  readonly article_id: string;
  readonly revision_id: string;
  /** The agent whose key signed, if the trust names the owner of the key; else null. */
  readonly author_id: string | null;
  /** The author that the proof names, as the signer wrote it. */
  readonly claimed_author_id: string;
  readonly created_at: string;
  readonly content_hash: string;
  readonly signed_at: string;
  readonly key: ProofKey;
  /** A text was given, and it is the signed one. */
  readonly text_matches: boolean;
  /** The proof of the previous revision was given, and the two refer to each other. This is not signed. */
  readonly previous_matches: boolean;
  readonly log: LogState;
  /** Where the log contains it; null unless it is `included`. */
  readonly logged: LoggedFacts | null;
  /** What the verdict does not confirm. */
  readonly not_checked: readonly Unchecked[];
}

/**
 * `valid`: signed by a key that you trust, for the service that you trust. `consistent`: the proof agrees
 * with itself and with the text, but no more; `reason` says what is missing. `refused`: it is wrong.
 */
export type ProofVerdict =
  | (ProofFacts & {
      readonly result: 'valid';
      readonly valid: true;
      readonly consistent: true;
      /** The trust that you gave, on which the verdict is based. */
      readonly trusted: TrustEcho;
    })
  | (ProofFacts & {
      readonly result: 'consistent';
      readonly valid: false;
      readonly consistent: true;
      readonly reason: TrustReason;
      readonly detail: string;
    })
  | {
      readonly result: 'refused';
      readonly valid: false;
      readonly consistent: false;
      readonly reason: ProofReason;
      readonly detail: string;
      /** `included` for a publication that is not signed but in the log that you trust. */
      readonly log: LogState;
      readonly logged: LoggedFacts | null;
    };

// Which keys of the log sign: known from the published checkpoint, wherever their files are.
import { isKeyOf, parseNote, parseVerifierKey } from '@colophon/tlog';
import { sha256 } from '#lib/sha256';

interface StoredKey {
  readonly verifier_key: string;
  readonly retired_at: string | null;
}

/** Returns the keys whose use has not ended, in their order. */
export function activeKeys(keys: readonly StoredKey[]): readonly string[] {
  return keys.filter((key) => key.retired_at === null).map((key) => key.verifier_key);
}

/** Returns those of the keys that have a signature on the checkpoint. */
export function keysThatSigned(
  keys: readonly string[],
  checkpoint: string | null,
): readonly string[] {
  const lines = parseNote(checkpoint ?? '')?.signatures ?? [];
  return keys.filter((text) => {
    const key = parseVerifierKey(sha256, text);
    return key !== undefined && lines.some((line) => isKeyOf(key, line));
  });
}

/** Returns a sentence for each key that should have signed the checkpoint and did not. */
export function silentKeys(keys: readonly StoredKey[], checkpoint: string): readonly string[] {
  const active = activeKeys(keys);
  const signed = keysThatSigned(active, checkpoint);
  return active
    .filter((key) => !signed.includes(key))
    .map(
      (key) =>
        `The key ${key} is in use and has not signed the published checkpoint: run npm run admin -- log rotate-key again if it was interrupted, or else log rotate-key --finish.`,
    );
}

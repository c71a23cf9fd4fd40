// Evidence that is checked with the keys that came with it. Its creator chose these keys, so nothing is proven.
import type { KeyHistory, ProofVerdict, ProvenText, Trusted } from '@colophon/sdk';
import { exits } from '../exit-codes.ts';
import { failure } from '../failures.ts';
import type { Failure } from '../failures.ts';

const detail = 'The keys came with the file, and anyone can make a file with keys of their own.';

/**
 * Verifies a proof with the keys that came with it. The verdict is `consistent` at best. It is `refused` also
 * if the proof contradicts these keys.
 */
export async function verifyWithOwnKeys(
  proof: unknown,
  { text, keys }: { readonly text: ProvenText; readonly keys: KeyHistory | Trusted },
): Promise<ProofVerdict> {
  const { verifyProof } = await import('@colophon/sdk');
  const alone = await verifyProof(proof, { text });
  if (alone.result !== 'consistent') return alone;
  const byItsKeys = await verifyProof(proof, { text, trusted: keys });
  return byItsKeys.result === 'refused' ? byItsKeys : { ...alone, detail };
}

/** The failure of evidence that agrees with itself, with the ways to check it. */
export function ownKeysFailure(): Failure {
  return failure(
    'Nothing is wrong, but nothing is proven: the keys came with the file.',
    'Check the article against the service (colophon verify ARTICLE_URL), or the file against keys that you ' +
      'kept before (--trusted FILE). `colophon verify ARTICLE_URL --save FOLDER` keeps them as FOLDER/trusted.json.',
    exits.no,
  );
}

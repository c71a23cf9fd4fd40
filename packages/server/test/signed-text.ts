// Hashes and signing inputs as the interface defines them, made here a second time to check the server.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** `sha256:` and the SHA-256 of the RFC 8785 form of the three members. */
export function expectedHash(text: {
  readonly title: string;
  readonly content: string;
  readonly metadata?: unknown;
}): string {
  const { title, content, metadata = {} } = text;
  const form = canonicalize({ content, metadata, title });
  return `sha256:${createHash('sha256')
    .update(form ?? '', 'utf8')
    .digest('hex')}`;
}

/** Seven lines, LF between them and none at the end. */
export function expectedSigningInput(
  baseUrl: string,
  authorId: string,
  article: {
    readonly id: string;
    readonly revision_id: string;
    readonly created_at: string;
    readonly content_hash: string;
  },
): string {
  return `publishing-network/revision/v1\n${baseUrl}\n${article.id}\n${article.revision_id}\n${authorId}\n${article.created_at}\n${article.content_hash}`;
}

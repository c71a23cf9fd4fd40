// POST /v1/web-links: a one-time link that opens a session of the caller in a browser.
import { operations, sessionLimits } from '@colophon/contract';
import { implement } from '#http';
import { mintSecret } from '#lib/bucket-secret';
import { timestamp } from '#lib/timestamp';
import { insertWebLink } from '../queries/index.ts';
import { webLinkEnd } from '../rules/sessions.ts';
import { requireFreshCheck } from '../service/checks.ts';

export const createWebLink = implement(operations.createWebLink)(async ({
  tx,
  caller,
  config,
  now,
}) => {
  await requireFreshCheck(tx, caller, now);
  const secret = mintSecret(caller.bucket);
  const expiresAt = webLinkEnd(now);
  void insertWebLink(tx, {
    principalId: caller.id,
    secret,
    tokenId: caller.token?.id ?? null,
    expiresAt,
    max: sessionLimits.web_links_max,
  });
  return {
    status: 201,
    // In the fragment, which browsers send to no server: no log contains it.
    body: { url: `${config.baseUrl}/-/link#${secret.text}`, expires_at: timestamp(expiresAt) },
  };
});

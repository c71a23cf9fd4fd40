// legal-removal ARTICLE_ID REASON_CODE | --restore: takes an article away for legal reasons, or gives it back.
import { reasonCodes } from '@colophon/contract';
import { removeLegally, restoreLegally } from '#articles';
import type { Tx } from '#database';
import { isId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendAudit, findAuditDetails } from '#moderation';
import type { Services } from '#services';
import { persistently } from './audited.ts';
import type { Command } from './command.ts';

const usage = 'legal-removal ARTICLE_ID REASON_CODE | --restore';

interface Act {
  readonly action: 'legal-removal' | 'legal-restore';
  readonly details: Readonly<Record<string, unknown>>;
  readonly told: string;
}

async function remove(tx: Tx, id: string, reasonCode: string, now: Date): Promise<Act> {
  const before = await removeLegally(tx, id, reasonCode, now);
  return {
    action: 'legal-removal',
    details: { reason_code: reasonCode, before },
    told: `${id}: was ${before.status}, answers 451 now (${reasonCode}).`,
  };
}

/** What the article was is in the audit log, under the removal that is taken back. */
async function restore(tx: Tx, id: string, now: Date): Promise<Act> {
  const details = await findAuditDetails(tx, 'legal-removal', id);
  const { status, removed_at, reason_code } = (details?.['before'] ?? {}) as Readonly<
    Record<string, string | null>
  >;
  const before = {
    status: status ?? 'removed',
    removed_at: removed_at ?? null,
    reason_code: reason_code ?? null,
  };
  const after = await restoreLegally(tx, id, before, now);
  return {
    action: 'legal-restore',
    details: { status: after },
    told: `${id}: ${after} again.`,
  };
}

/** The act and its audit entry, in one transaction. */
async function done({ db, now }: Services, id: string, wish: string): Promise<string> {
  const at = now();
  return db.transaction(async (tx) => {
    const act = wish === '--restore' ? await restore(tx, id, at) : await remove(tx, id, wish, at);
    await appendAudit(tx, {
      actor: 'operator',
      action: act.action,
      target_type: 'article',
      target_id: id,
      details: act.details,
      created_at: timestamp(at),
    });
    return act.told;
  });
}

export const legalRemoval: Command = {
  usage,
  summary: 'answers 451 in place of the article, or gives it back as it was',
  run: async (services, [id, wish]) => {
    if (id === undefined || wish === undefined || !isId(id))
      throw new Error(`Name the article and why: ${usage}`);
    if (wish !== '--restore' && !(reasonCodes as readonly string[]).includes(wish))
      throw new Error(`${wish} is no reason code: name one of ${reasonCodes.join(', ')}.`);
    const told = await persistently(() => done(services, id, wish));
    process.stdout.write(`${told}\n`);
    return 0;
  },
};

// trust USERNAME LEVEL: sets a trust level. The highest one is never reached automatically.
import { trustLevelMax } from '@colophon/contract';
import { principalNamed, setTrust } from '#identity';
import { timestamp } from '#lib/timestamp';
import { appendAudit } from '#moderation';
import type { Services } from '#services';
import { requireAtMost, requireUsername } from './command.ts';
import type { Command } from './command.ts';

function levelOf(text: string | undefined): number {
  const level = Number(text);
  if (text === undefined || !/^\d$/.test(text) || level > trustLevelMax)
    throw new Error(`Name a level from 0 to ${trustLevelMax}: trust USERNAME LEVEL`);
  return level;
}

/** Sets the level and returns the previous one. */
async function set({ db, now }: Services, username: string, level: number): Promise<number> {
  const principalId = await principalNamed(db, username);
  if (principalId === undefined) throw new Error(`No account has the username ${username}.`);
  return db.transaction(async (tx) => {
    const before = await setTrust(tx, principalId, level);
    if (before === level) return before;
    await appendAudit(tx, {
      actor: 'operator',
      action: 'trust',
      target_type: 'principal',
      target_id: principalId,
      details: { from: before, to: level },
      created_at: timestamp(now()),
    });
    return before;
  });
}

export const trust: Command = (args) => {
  requireAtMost(2, args, 'trust');
  const username = requireUsername(args[0], 'trust USERNAME LEVEL');
  const to = levelOf(args[1]);
  return async ({ services, stdout }) => {
    const from = await set(services, username, to);
    stdout.write(`${username}: trust level ${from}, now ${to}.\n`);
    return 0;
  };
};

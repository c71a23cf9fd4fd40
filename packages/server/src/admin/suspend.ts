// suspend USERNAME [--lift]: takes the right to write from an account and its agents, or gives it back.
import { principalNamed, setSuspension, waitForWrites } from '#identity';
import { timestamp } from '#lib/timestamp';
import { appendAudit } from '#moderation';
import type { Services } from '#services';
import { persistently } from './audited.ts';
import type { Command } from './command.ts';

const usage = 'suspend USERNAME [--lift]';

async function set(services: Services, principalId: string, suspended: boolean): Promise<void> {
  const { db, now } = services;
  await db.transaction(async (tx) => {
    await setSuspension(tx, principalId, suspended);
    await appendAudit(tx, {
      actor: 'operator',
      action: suspended ? 'suspend' : 'restore',
      target_type: 'principal',
      target_id: principalId,
      details: {},
      created_at: timestamp(now()),
    });
  });
}

export const suspend: Command = {
  usage,
  summary: 'lets an account and its agents read and not write; --lift takes it back',
  run: async (services, args) => {
    const lift = args.includes('--lift');
    const [username, ...more] = args.filter((one) => one !== '--lift');
    if (username === undefined || username.startsWith('-') || more.length > 0)
      throw new Error(`Name one account: ${usage}`);
    const principalId = await principalNamed(services.db, username);
    if (principalId === undefined) throw new Error(`Nobody is called ${username}.`);
    await persistently(() => set(services, principalId, !lift));
    process.stdout.write(
      lift
        ? `${username}: not suspended any more.\n`
        : `${username}: suspended. It reads and cannot write, nor can agents that it owns.\n`,
    );
    // Committed before: otherwise an account that never stops writing could not be suspended.
    if (!lift) await services.db.transaction((tx) => waitForWrites(tx, principalId));
    return 0;
  },
};

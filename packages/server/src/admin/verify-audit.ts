// verify-audit [NUMBER:HASH]: whether the audit log is what was written, row by row.
import { verifyAudit } from '#moderation';
import type { Command } from './command.ts';

const usage = 'verify-audit [NUMBER:HASH]';

function notedOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new Error(`Send the number and the hash that an earlier run printed: ${usage}`);
  return { number: Number(number), hash };
}

export const verifyAuditLog: Command = {
  usage,
  looksOnly: true,
  summary: 'follows the chain of the audit log, and says which row is not what was written',
  run: async ({ db }, [noted]) => {
    const found = await verifyAudit(db, notedOf(noted));
    if ('reason' in found) {
      process.stdout.write(`BROKEN at ${found.number}. ${found.reason}\n`);
      return 1;
    }
    process.stdout.write(
      `The audit log is whole: ${found.number} rows.\n` +
        `Keep this elsewhere and send it with the next run: ${found.number}:${found.hash}\n`,
    );
    return 0;
  },
};

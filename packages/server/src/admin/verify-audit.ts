// verify-audit [NUMBER:HASH]: verifies every row of the audit log.
import { verifyAudit } from '#moderation';
import { descriptions, requireAtMost } from './command.ts';
import type { Call, Command } from './command.ts';

const { usage } = descriptions['verify-audit'];

function notedOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new Error(`Send the number and the hash that an earlier run printed: ${usage}`);
  return { number: Number(number), hash };
}

async function verifyFrom(
  noted: ReturnType<typeof notedOf>,
  { services: { db }, stdout }: Call,
): Promise<number> {
  const found = await verifyAudit(db, noted);
  if ('reason' in found) {
    stdout.write(`BROKEN at ${found.number}. ${found.reason}\n`);
    return 1;
  }
  stdout.write(
    `The audit log is whole: ${found.number} rows.\n` +
      `Keep this elsewhere and send it with the next run: ${found.number}:${found.hash}\n`,
  );
  return 0;
}

export const verifyAuditLog: Command = (args) => {
  requireAtMost(1, args, 'verify-audit');
  const noted = notedOf(args[0]);
  return (call) => verifyFrom(noted, call);
};

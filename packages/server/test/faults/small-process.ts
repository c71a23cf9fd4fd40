// A process of a supervisor that does what a file says: it serves, migrates, ends, or is never ready.
import { appendFileSync, readFileSync } from 'node:fs';
import type { ToProcess } from '../../src/processes/messages.ts';

const [file = '', name = ''] = [process.env['BEHAVIOUR'], process.env['NAME']];
const behaviour = readFileSync(file, 'utf8').trim();
appendFileSync(`${file}.starts`, `${name}\n`);
const send = (message: object) =>
  process.connected && process.send?.(message, undefined, undefined, () => undefined);

process.on('SIGUSR2', () => undefined);
process.on('SIGTERM', () => process.exit(0));
process.on('message', (message: ToProcess) => {
  if (message.kind === 'ping') send({ kind: 'alive', bytes: 1 });
});
if (behaviour === 'ends') process.exit(3);
if (behaviour === 'migrates') {
  send({ kind: 'migrating', over: false });
  const look = setInterval(() => {
    if (readFileSync(file, 'utf8').trim() === 'migrates') return;
    clearInterval(look);
    send({ kind: 'migrating', over: true });
    send({ kind: 'ready', listening: ['here'] });
  }, 50);
} else if (behaviour !== 'never') send({ kind: 'ready', listening: ['here'] });

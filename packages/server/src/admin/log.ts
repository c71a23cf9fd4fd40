// log WHAT: shows, verifies and repairs the transparency log, and replaces its key.
import {
  endRotation,
  findLogStatus,
  recoverLog,
  replaceLostKey,
  rotateKey,
  verifyLog,
  writeTiles,
} from '#log';
import { openLogFiles } from '#storage';
import { descriptions, requireAtMost } from './command.ts';
import type { Call, Command, Run } from './command.ts';

const { usage } = descriptions.log;

const status: Run = async ({ services: { db, now }, stdout }) => {
  const status = await findLogStatus(db, now());
  if (status === undefined) {
    stdout.write('The log has not been started: start the service once.\n');
    return 1;
  }
  const {
    origin,
    size,
    publishedSize,
    publishedAt,
    waiting,
    lagSeconds,
    refusal,
    keys,
    witnesses,
  } = status;
  const lines = [
    `name       ${origin}`,
    ...keys.map((key) => `key        ${key}`),
    `leaves     ${size}, of which ${publishedSize} are published`,
    `published  ${publishedAt ?? 'never, or to be signed again'}`,
    `waiting    ${waiting}${waiting === 0 ? '' : `, the oldest for ${Math.round(lagSeconds)} s`}`,
    ...witnesses.map(
      ({ name, size, failure }) =>
        `witness    ${name}, ${size} leaves${failure === null ? '' : `, FAILS: ${failure}`}`,
    ),
    ...(refusal === null ? [] : [`REFUSED    ${refusal}`]),
  ];
  stdout.write(`${lines.join('\n')}\n`);
  return refusal === null ? 0 : 1;
};

const verify: Run = async ({ services: { db, config }, stdout }) => {
  await using files = await openLogFiles(config.mediaStore);
  const { size, faults } = await verifyLog(db, files);
  for (const fault of faults) stdout.write(`WRONG  ${fault}\n`);
  stdout.write(
    faults.length === 0 ? `The log is whole: ${size} leaves.\n` : `Faults: ${faults.length}.\n`,
  );
  return faults.length === 0 ? 0 : 1;
};

const rebuildTiles: Run = async ({ services: { db, config, now }, stdout }) => {
  await using files = await openLogFiles(config.mediaStore);
  const { publishedSize = 0 } = (await findLogStatus(db, now())) ?? {};
  await writeTiles(db, files, { from: 0, to: publishedSize });
  stdout.write(`Wrote the tiles of ${publishedSize} leaves again. Run log verify to check them.\n`);
  return 0;
};

const recover: Run = async ({ services, stdout }) => {
  await using files = await openLogFiles(services.config.mediaStore);
  const count = await recoverLog(services, files);
  stdout.write(
    count === 0
      ? 'The database has every leaf that was published: there is nothing to take over.\n'
      : `Took over ${count} leaves that were published. The service signs again within seconds.\n`,
  );
  return 0;
};

const rotations: Readonly<Record<string, (call: Call) => Promise<string>>> = {
  '': async ({ services }) =>
    `The new key is ${await rotateKey(services)}\nBoth keys sign from now on. When your readers know the new one, run log rotate-key --finish.\n`,
  '--finish': async ({ services }) => {
    const ended = await endRotation(services);
    return ended.length === 0
      ? 'No key is being replaced.\n'
      : ended.map((key) => `${key}\nno longer signs. Delete every copy of it.\n`).join('');
  },
  '--lost': async ({ services }) =>
    `The new key is ${await replaceLostKey(services)}\nThe lost key could not sign for it: inform your readers and witnesses in another way.\n`,
};

function rotate(option: string): Run {
  const run = Object.hasOwn(rotations, option) ? rotations[option] : undefined;
  if (run === undefined) throw new Error(`log rotate-key has no option ${option}: ${usage}`);
  return async (call) => {
    call.stdout.write(await run(call));
    return 0;
  };
}

const parts: Readonly<Record<string, Run>> = {
  status,
  verify,
  'rebuild-tiles': rebuildTiles,
  recover,
};

export const log: Command = (args) => {
  const [name = '', option = ''] = args;
  if (name === 'rotate-key') {
    requireAtMost(2, args, 'log');
    return rotate(option);
  }
  const run = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (run === undefined) throw new Error(`Say what to do: ${usage}`);
  requireAtMost(1, args, 'log');
  return run;
};

// doctor: checks everything that the service depends on, and reports what is wrong and what to do.
import { examine } from '#examinations';
import { releaseParked } from '#outbox';
import { requireAtMost } from './command.ts';
import type { Command, Run } from './command.ts';

const examineAll: Run = async ({ services, stdout }) => {
  const findings = await examine({ ...services, tries: true }, ({ what, well, text }) => {
    stdout.write(`${well ? 'ok   ' : 'WRONG'} ${what.padEnd(15)} ${text}\n`);
  });
  const wrong = findings.filter(({ well }) => !well);
  stdout.write(wrong.length === 0 ? 'No problems found.\n' : `Problems found: ${wrong.length}.\n`);
  return wrong.length === 0 ? 0 : 1;
};

const releaseAndExamine: Run = async (call) => {
  const released = await releaseParked(call.services.db);
  call.stdout.write(`Released ${released} parked jobs. They run again.\n`);
  return examineAll(call);
};

export const doctor: Command = (args) => {
  const [option] = args;
  if (option !== undefined && option !== '--release')
    throw new Error(`doctor has no option ${option}. Its only option is --release.`);
  requireAtMost(1, args, 'doctor');
  return option === '--release' ? releaseAndExamine : examineAll;
};

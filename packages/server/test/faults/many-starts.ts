// A program: starts the service with each of the settings on standard input, as main.mjs does, and says how each was refused.
import { text } from 'node:stream/consumers';
import { readSettings } from '../../src/read-settings.ts';
import { serve } from '../../src/serve.ts';

type Settings = Readonly<Record<string, string>>;

async function start(settings: Settings): Promise<string> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, settings);
  try {
    await serve(await readSettings(), process.ppid);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const all = JSON.parse(await text(process.stdin)) as readonly Settings[];
for (const settings of all) {
  const refused = await start(settings);
  process.stdout.write(`${JSON.stringify({ refused })}\n`);
  // One that serves leaves what it opened to those after it.
  if (refused === '') break;
}
process.exit(0);

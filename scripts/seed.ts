// npm run seed: fills a running server with a small example site, or with many documents.
import { join, resolve } from 'node:path';
import { isProblem } from '@colophon/sdk';
import { addressOf } from './seed/address.ts';
import { seedBulk } from './seed/bulk.ts';
import { seedSite } from './seed/site.ts';

const { env } = process;
const root = resolve(import.meta.dirname, '..');
const help = `npm run seed
Publishes a small site: articles by people and agents in several languages, with images, comments and links.
If you run it again for the same address, it continues where it stopped and adds nothing twice.

npm run seed -- --bulk [FOLDER…]
Publishes every *.md and *.markdown below the folders (node_modules, when none is named).

COLOPHON_URL    address of the server; default: BASE_URL, else http://localhost with PORT (8080)
DATA_DIR        folder for the tokens of the seeded accounts; default: ./data
COLOPHON_TOKEN  with --bulk: publish with this account; default: accounts named seed-1, seed-2, … are
                registered, another one whenever the daily allowance is used up`;

function explain(error: unknown): string {
  if (!isProblem(error))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.problem.name !== 'unavailable') return error.message;
  return (
    `${error.problem.detail ?? error.message}\n` +
    `Start the server with \`npm start\` in another terminal, or set COLOPHON_URL, BASE_URL or PORT to its address. ` +
    `Then run this command again: it continues where it stopped.`
  );
}

async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(help);
  const unknown = args.find((one) => one.startsWith('-') && one !== '--bulk');
  if (unknown !== undefined) {
    console.error(`There is no option ${unknown}: npm run seed -- --help lists what there is.`);
    process.exitCode = 1;
    return undefined;
  }
  const folders = args.filter((one) => one !== '--bulk').map((folder) => resolve(folder));
  const isBulk = args.includes('--bulk');
  if (!isBulk && folders.length > 0) {
    console.error('Folders require --bulk: npm run seed -- --bulk FOLDER…');
    process.exitCode = 1;
    return undefined;
  }
  const setting = {
    baseUrl: addressOf(env),
    dataDir: resolve(root, env['DATA_DIR'] ?? 'data'),
    token: env['COLOPHON_TOKEN'],
    root,
  };
  return isBulk ? seedBulk(setting, folders) : seedSite(setting, join(root, 'scripts/seed/texts'));
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});

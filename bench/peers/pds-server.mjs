// The reference Bluesky server and the directory of identities that it registers accounts with, run by the
// Node.js that the peers are run by, in the folder they are installed in.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Loads a package of the folder that the peer is installed in: none of this project's. */
const load = createRequire(join(process.cwd(), 'package.json'));
const role = process.argv[2];
const port = Number(process.env['PORT']);

/** A directory of identities in memory: it is asked when an account is made, never in a measured request. */
async function startDirectory() {
  const { Database, PlcServer } = load('@did-plc/server');
  await PlcServer.create({ db: Database.mock(), port }).start();
}

async function startServer() {
  const { PDS, envToCfg, envToSecrets, readEnv } = load('@atproto/pds');
  const env = readEnv();
  const pds = await PDS.create(envToCfg(env), envToSecrets(env));
  await pds.start();
  process.once('SIGTERM', () => void pds.destroy().then(() => process.exit(0)));
}

await (role === 'directory' ? startDirectory() : startServer());

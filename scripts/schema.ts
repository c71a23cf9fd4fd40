// npm run schema: migrates an empty database and writes its schema to schema.sql.
import { schemaPath, writeSchema } from '../packages/server/src/database/schema-dump.ts';
import { setup } from '../packages/server/test/global-setup.ts';

const { env, dispose } = await setup();
const server = JSON.parse(env['COLOPHON_TEST_DATABASE'] ?? '') as object;
await writeSchema({ ...server, database: env['COLOPHON_TEST_TEMPLATE'] });
await dispose();
process.stdout.write(`Wrote ${schemaPath}.\n`);
process.exit(0);

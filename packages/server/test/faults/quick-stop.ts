// A program: serves as main.mjs does, but waits only a second for what is under way when it stops.
import { readSettings } from '../../src/read-settings.ts';
import { serve } from '../../src/serve.ts';

await serve(await readSettings(), process.ppid, 1_000);

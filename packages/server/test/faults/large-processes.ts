// A program: supervises processes as main.mjs does, but each counts as too large once.
import { readSettings } from '../../src/read-settings.ts';
import { supervise } from '../../src/supervise.ts';

await supervise(await readSettings(), process.ppid, { bytesMax: 1 });

#!/usr/bin/env node
// The tool host as a program.
import { readSettings, SettingError } from './settings.ts';
import { serve } from './stdio.ts';

try {
  serve(readSettings(process.argv.slice(2), process.env));
} catch (error) {
  const isUsage = error instanceof SettingError || error instanceof TypeError;
  process.stderr.write(isUsage ? `${error.message}\n` : `${String(error)}\n`);
  process.exitCode = 2;
}

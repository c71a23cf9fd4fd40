#!/usr/bin/env node
// The tool host as a program.
import { version } from './service.ts';
import { readSettings, readSwitches, SettingError, usage } from './settings.ts';
import { serve } from './stdio.ts';

async function overHttp(settings: ReturnType<typeof readSettings>): Promise<void> {
  if (settings.http === undefined) return;
  const { serveHttp } = await import('./http.ts');
  const listening = await serveHttp(settings, settings.http);
  process.stderr.write(`Listening at ${listening.url}\n`);
  const stop = () => {
    void listening[Symbol.asyncDispose]();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

async function run(args: readonly string[]): Promise<void> {
  const { help, version: printsVersion } = readSwitches(args);
  if (help || printsVersion) {
    process.stdout.write(help ? usage : `${version}\n`);
    return;
  }
  const settings = readSettings(args, process.env);
  if (settings.http === undefined) serve(settings);
  else await overHttp(settings);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof SettingError || error instanceof TypeError;
  process.stderr.write(isUsage ? `${error.message}\n` : `${String(error)}\n`);
  process.exitCode = 2;
});

// npm run check: format, lint, types and dead code, one after another; all run even when one fails.
import { spawnSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const env = {
  ...process.env,
  PATH: `${resolve(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
};

const checks = [
  { name: 'format', command: 'oxfmt --check', repair: 'npm run fix' },
  { name: 'lint', command: 'oxlint --deny-warnings --report-unused-disable-directives' },
  // Several threads each check what they share: one alone takes half of the processor time.
  { name: 'types', command: 'node node_modules/typescript-7/bin/tsc -p . --singleThreaded' },
  {
    name: 'types of islands',
    command: 'node node_modules/typescript-7/bin/tsc -p packages/islands/src/browser',
  },
  { name: 'dead code', command: 'knip' },
  {
    name: 'code used only by tests',
    command: 'knip --production --config knip.production.json --include exports,files',
  },
  { name: 'openapi', command: 'node scripts/openapi.ts' },
  { name: 'texts', command: 'markdownlint-cli2' },
  {
    name: 'lock file',
    command: 'lockfile-lint --path package-lock.json --type npm --validate-integrity',
  },
] as const;

const outcomes = checks.map((check) => {
  process.stdout.write(`\n== ${check.name}: ${check.command}\n`);
  const began = performance.now();
  const [file = '', ...words] = check.command.split(' ');
  const { status, error } = spawnSync(file, words, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) process.stdout.write(`${error.message}\n`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return { ...check, passed: status === 0, seconds };
});

process.stdout.write('\n');
for (const { name, passed, seconds, ...rest } of outcomes) {
  const advice = !passed && 'repair' in rest ? `  repair: ${rest.repair}` : '';
  process.stdout.write(
    `${passed ? 'passed' : 'FAILED'}  ${name.padEnd(9)} ${seconds.padStart(5)} s${advice}\n`,
  );
}
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;

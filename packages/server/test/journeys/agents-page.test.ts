// docs/agents.md, from “By HTTP” on: every line of it is run by one shell, in order and as written.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';

const page = await readFile(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## By HTTP'));

interface Step {
  readonly lines: string;
  /** The answer that the page shows below, if it shows one. */
  readonly shown: string;
}

/** The blocks of commands, each with the block of JSON that follows it directly. */
const steps: readonly Step[] = [
  ...section.matchAll(/```bash\n([^]*?)```(?:\s+```json\n([^]*?)```)?/g),
].map(([, lines = '', shown = '']) => ({ lines, shown }));

/**
 * Stands before curl in the PATH, and writes the status of each answer to descriptor 3: on standard error, it could
 * not be told from what the shell says of its own environment.
 */
const wrapper = (curl: string) =>
  `#!/bin/sh\nexec ${curl} -w '%{stderr}%{http_code}\\n' "$@" 2>&3\n`;
const mark = '=== end of the step ===';

let server: TestServer;
let folder: string;
before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'agents-by-http-'));
  const { stdout: curl } = await promisify(execFile)('sh', ['-c', 'command -v curl']);
  await writeFile(join(folder, 'curl'), wrapper(curl.trim()));
  await chmod(join(folder, 'curl'), 0o755);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly said: string;
  readonly codes: readonly string[];
}

/** Runs all blocks in one shell. Returns what each said, and the status of each of its calls. */
async function runAll(): Promise<readonly Ran[]> {
  const script = steps
    .map(({ lines }) => `${lines}\necho; echo '${mark}'; echo '${mark}' >&3\n`)
    .join('')
    .replaceAll('http://localhost:8080', server.baseUrl);
  const statuses = join(folder, 'statuses');
  const env = {
    ...process.env,
    PATH: [folder, dirname(process.execPath), process.env['PATH']].join(delimiter),
  };
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euc', `exec 3>'${statuses}'\n${script}`],
    { env },
  );
  const codes = (await readFile(statuses, 'utf8')).split(`${mark}\n`);
  return stdout
    .split(`${mark}\n`)
    .map((said, at) => ({ said, codes: codes[at]?.trim().split('\n').filter(Boolean) ?? [] }));
}

/** The last call of a block answers what is shown below it; every other one succeeds. */
function assertStep({ lines, shown }: Step, { said, codes }: Ran): void {
  const calls = lines.match(/\bcurl -s/g)?.length ?? 0;
  assert.equal(codes.length, calls, `${lines}\nhas these statuses: ${codes.join(' ')}`);
  const last = /"status":(\d+)/.exec(shown)?.[1] ?? '2';
  for (const [index, code] of codes.entries())
    assert.ok(code.startsWith(index === calls - 1 ? last : '2'), `${lines} answers ${code}`);
  for (const [, name] of shown.matchAll(/"(\w+)":/g))
    assert.match(said, new RegExp(`"${name}":`), lines);
}

test('a person registers an agent, which drafts, publishes and resumes, line by line', async () => {
  assert.ok(steps.length >= 14, `${steps.length} blocks`);
  const ran = await runAll();
  for (const [at, step] of steps.entries()) assertStep(step, ran[at] ?? assert.fail(step.lines));
});

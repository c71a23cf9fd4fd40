// The tool host against the official conformance suite and the official inspector, which npx fetches.
// node scripts/programs/conformance.ts URL: a running service, in which an account is registered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@colophon/sdk';
import { buildProgram } from './build.ts';

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const inspector = '@modelcontextprotocol/inspector@2.12.0';
const revisions = ['2025-11-25', '2026-07-28'];
const expected = resolve(import.meta.dirname, '../../packages/mcp/test/conformance.yml');
/** Both programs need this version of Node.js, and not an older one of the machine. */
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
};

interface Ran {
  readonly code: number;
  readonly output: string;
}

async function npx(args: readonly string[]): Promise<Ran> {
  const child = spawn('npx', ['--yes', ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

/** Starts the built program over HTTP; returns its address. */
async function startHttp(program: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [program, '--http', '--port', '0'], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url: line.replace('Listening at ', ''), [Symbol.asyncDispose]: stop };
}

async function report(name: string, { code, output }: Ran, sign: RegExp): Promise<void> {
  const isGood = code === 0 && sign.test(output);
  process.stdout.write(`${isGood ? 'passed' : 'FAILED'}  ${name}\n${isGood ? '' : `${output}\n`}`);
  if (!isGood) process.exitCode = 1;
}

async function inspect(target: readonly string[], era: string): Promise<void> {
  const call = (...method: readonly string[]) =>
    npx([inspector, '--cli', ...target, '--protocol-era', era, '--method', ...method]);
  const name = `inspector, ${target.includes('--transport') ? 'HTTP' : 'stdio'}, ${era}`;
  await report(`${name}: tools/list --strict`, await call('tools/list', '--strict'), /"check_in"/);
  const call1 = ['tools/call', '--tool-name', 'check_in'];
  await report(`${name}: tools/call`, await call(...call1), /"structuredContent"/);
  const read = ['resources/read', '--uri', 'colophon://events'];
  await report(`${name}: resources/read`, await call(...read), /"contents"/);
  const prompt = ['prompts/get', '--prompt-name', 'publish_note', '--prompt-args', 'about=tests'];
  await report(`${name}: prompts/get`, await call(...prompt), /about: tests/);
}

const [service] = process.argv.slice(2);
if (service === undefined) throw new Error('Name a running service: conformance.ts URL');
const place = await mkdtemp(join(tmpdir(), 'colophon-mcp-'));
try {
  await buildProgram('mcp', place);
  const program = join(place, 'colophon-mcp.js');
  await using http = await startHttp(program, { COLOPHON_URL: service });
  for (const revision of revisions) {
    const args = ['server', '--url', http.url, '--requirements', revision];
    const ran = await npx([suite, ...args, '--expected-failures', expected]);
    await report(`conformance, ${revision}`, ran, /Baseline check passed/);
  }
  const username = `inspector-${Math.random().toString(36).slice(2, 10).replaceAll(/\d/g, 'x')}`;
  const { token } = await createClient({ baseUrl: service }).registerHuman({ username });
  const env = ['-e', `COLOPHON_URL=${service}`, '-e', `COLOPHON_TOKEN=${token}`];
  const overHttp = [http.url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
  for (const era of ['legacy', 'modern']) {
    await inspect([process.execPath, program, ...env], era);
    await inspect(overHttp, era);
  }
} finally {
  await rm(place, { recursive: true, force: true });
}

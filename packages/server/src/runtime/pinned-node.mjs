// Runs the program on the Node.js that is installed with it if the current one is too old.
// Plain JavaScript without newer syntax: the old Node.js has to parse it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

function majorOf(version) {
  return Number(/^v?(\d+)/.exec(version)?.[1]);
}

/** Returns the installed Node.js, if it runs here and is new enough. */
function findNode(folder, oldest) {
  const names = process.platform === 'win32' ? ['node.exe', 'node.cmd'] : ['node'];
  const file = names.map((name) => join(folder, '.bin', name)).find((one) => existsSync(one));
  if (file === undefined) return undefined;
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return majorOf(stdout || '') >= oldest ? file : undefined;
}

/**
 * Starts `program` on the Node.js below `modules`, forwards every signal to it, and exits with its exit code.
 * The program watches this process in turn, so that it stops if this one is killed.
 */
export function runOnPinnedNode({ program, modules, oldest }) {
  const node = findNode(modules, oldest);
  if (node === undefined) {
    process.stderr.write(
      `Colophon cannot start. This is Node.js ${process.versions.node}: run npm start, which installs the required version, or install Node.js ${oldest} or later.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // oxlint-disable-next-line node/no-process-env
    env: { ...process.env, COLOPHON_BOUND: '1' },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`Colophon cannot start. ${node} does not run: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code === null ? 1 : code));
}

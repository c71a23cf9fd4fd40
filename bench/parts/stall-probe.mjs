// Loaded into the measured server: reports the longest time for which its event loop was blocked.
import { createServer } from 'node:http';

/** Milliseconds between two checks when the loop is idle. */
const lookMs = 1;

let last = process.threadCpuUsage();
let lastAt = performance.now();
let worst = { processorMs: 0, clockMs: 0 };

function look() {
  const { user, system } = process.threadCpuUsage(last);
  const clockMs = performance.now() - lastAt - lookMs;
  worst = {
    processorMs: Math.max(worst.processorMs, (user + system) / 1_000),
    clockMs: Math.max(worst.clockMs, clockMs),
  };
  last = process.threadCpuUsage();
  lastAt = performance.now();
}

setInterval(look, lookMs).unref();

/** Responds with the longest time since the previous request. */
createServer((_, response) => {
  look();
  response.setHeader('connection', 'close');
  response.end(JSON.stringify(worst));
  worst = { processorMs: 0, clockMs: 0 };
})
  .listen(Number(process.env['STALL_PROBE_PORT']), '127.0.0.1')
  .unref();

// Restarts under load: no client that keeps its connection loses an answer. A long run makes fifty of them.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from '../effort.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';
import { until } from '../throw-away-database.ts';

const restarts = effort(2, 50);
/** What a client does between two requests, in milliseconds: some connections are idle when the stop comes. */
const pauses = [0, 0, 1, 3, 10, 20, 50, 100, 150, 200, 250, 300];

let place: Place;

before(async () => {
  place = await makePlace();
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

/** One read: its status, `cut` for half an answer, or the code of the error. */
function ask(agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(`${place.baseUrl}/v1/articles`, { agent }, (message) => {
      message
        .resume()
        .on('close', () => resolve(message.complete ? (message.statusCode ?? 0) : 'cut'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end();
  });
}

/** Clients that read until they are stopped, each on a connection that it keeps. */
function startClients() {
  const outcomes = new Map<number | string, number>();
  let stopping = false;
  let answered = 0;
  const all = pauses.map(async (pauseMs) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopping) {
      const outcome = await ask(agent);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === 200) answered += 1;
      // While no server listens there is nothing to hurry for.
      await wait(outcome === 'ECONNREFUSED' ? 20 : pauseMs);
    }
    agent.destroy();
  });
  return {
    outcomes,
    answered: () => answered,
    stop: async () => {
      stopping = true;
      await Promise.all(all);
    },
  };
}

test(
  `${restarts} restarts: every request on a connection that was kept is answered, and every stop is in order`,
  { timeout: restarts * 120_000 },
  async (t) => {
    let server = place.start();
    await server.ready(place.baseUrl);
    const clients = startClients();
    let longestMs = 0;
    for (let restart = 0; restart < restarts; restart += 1) {
      const before = clients.answered();
      await until('the clients are served', () => clients.answered() > before + 60);
      const began = performance.now();
      server.kill('SIGTERM');
      const { code } = await server.ended;
      longestMs = Math.max(longestMs, performance.now() - began);
      assert.equal(code, 0, server.complaint());
      server = place.start();
      await server.ready(place.baseUrl);
    }
    await clients.stop();
    const { outcomes } = clients;
    const refused = outcomes.get('ECONNREFUSED') ?? 0;
    t.diagnostic(
      `${clients.answered()} answered, ${refused} refused, longest stop ${Math.round(longestMs)} ms`,
    );
    outcomes.delete(200);
    outcomes.delete('ECONNREFUSED');
    assert.deepEqual([...outcomes], [], 'every other request was answered');
    // After twelve seconds it would have given up, and ended with 1.
    assert.ok(longestMs < 12_500, `it took ${longestMs} ms`);
  },
);

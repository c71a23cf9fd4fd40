// `/-/status`: what doctor finds, the pipeline, parked work, queues, the disk and versions, for administrators.
import { barChart, gauge } from '../components/charts.ts';
import { when } from '../components/components.ts';
import { deskResponse, sourceLine, upTo } from '../components/desk.ts';
import { figure } from '../components/labels.ts';
import { categoryWords } from '../components/moderation-words.ts';
import { byteSize } from '../components/quotas.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { QueueCounts } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { ServiceStatus, StatusFinding } from '../status-services.ts';
import { openDesk } from './desk-entry.ts';

function findingRow({ what, well, text }: StatusFinding): Html {
  return html`<tr><th scope="row">${what}</th><td class="${well ? 'well' : 'wrong'}">${well ? 'ok' : 'WRONG'}</td><td>${text}</td></tr>
`;
}

function findings({ findings: list }: ServiceStatus): Html {
  const wrong = list.filter(({ well }) => !well).length;
  return html`<section aria-labelledby="findings">
<h2 id="findings">${wrong === 0 ? 'No problems found' : `Problems found: ${wrong}`}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="What doctor finds"><table class="rows-table findings"><thead><tr><th scope="col">What</th><th scope="col">State</th><th scope="col">Finding</th></tr></thead><tbody>${list.map(findingRow)}</tbody></table></div>
</section>`;
}

function figureBox(name: string, value: Content): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function pipelineSection({ pipeline }: ServiceStatus): Html {
  if (pipeline === null)
    return html`<section aria-labelledby="pipeline"><h2 id="pipeline">Pipeline</h2><p class="note warning">The database does not respond.</p></section>`;
  const { waiting, oldestSeconds: oldest, parked, jobs } = pipeline;
  const rows = jobs.map(
    (job) =>
      html`<tr><td>${sourceLine(job.type)}</td><td>${sourceLine(job.subscriber)}</td><td><code>${job.message_id}</code></td><td>${sourceLine(job.last_error ?? '', 500)}</td></tr>
`,
  );
  return html`<section aria-labelledby="pipeline">
<h2 id="pipeline">Pipeline</h2>
<dl class="figures">${figureBox('Waiting', figure(waiting))}${figureBox('Oldest', oldest === null ? 'none' : `${figure(Math.round(oldest))} s`)}${figureBox('Parked', figure(parked))}</dl>
${
  jobs.length > 0 &&
  html`<h3>Parked work</h3>
<p>It failed in all its attempts. Correct the cause, then run <code>doctor --release</code>.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Parked work"><table class="rows-table"><thead><tr><th scope="col">Message</th><th scope="col">Subscriber</th><th scope="col">Id</th><th scope="col">Last error</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</section>`;
}

function queueSection({ all, appeals, categories }: QueueCounts): Html {
  const bars = Object.entries(categoryWords)
    .map(([key, label]) => ({ label, value: categories.get(key) ?? 0 }))
    .toSorted((one, other) => other.value - one.value);
  return html`<section aria-labelledby="queues">
<h2 id="queues">Moderation</h2>
<dl class="figures">${figureBox('Open reports', upTo(all))}${figureBox('Open appeals', upTo(appeals))}</dl>
${barChart(`Open reports by category: ${bars.map(({ label, value }) => `${label} ${value}`).join(', ')}`, bars)}
</section>`;
}

function diskSection({ disk }: ServiceStatus): Content {
  if (disk === null) return null;
  const { freeBytes: free, totalBytes: total, reserveBytes: reserve } = disk;
  const words = `${byteSize(total - free)} of ${byteSize(total)} used, ${byteSize(free)} free`;
  return html`<section aria-labelledby="disk">
<h2 id="disk">Disk</h2>
${gauge(words, total - free, total)}
<p>${words}. Uploads are refused below ${byteSize(reserve)}.</p>
</section>`;
}

function versionSection({ versions }: ServiceStatus): Html {
  return html`<section aria-labelledby="versions">
<h2 id="versions">Versions</h2>
<dl class="figures">${Object.entries(versions).map(([name, value]) => figureBox(name, value))}</dl>
</section>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showStatus(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked, 'admin:manage');
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const [status, counts] = await Promise.all([web.status(), desk.reads.counts()]);
  const main = html`<p class="small">As of ${when(status.at)}. <a href="${web.site.at('/-/status')}">Look again</a></p>
${findings(status)}
${pipelineSection(status)}
${queueSection(counts)}
${diskSection(status)}
${versionSection(status)}`;
  return deskResponse(web, { desk, asked }, { tab: 'status', title: 'Status', counts, main });
}

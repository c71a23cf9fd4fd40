// Quotas on pages: a bar for each, with what is used, of how much, and when it starts again.
import type { QuotaAction } from '@colophon/contract';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Quota } from '../page-services.ts';
import { figure, formatCount } from './labels.ts';

const words: Readonly<Record<QuotaAction, string>> = {
  'articles.create': 'New drafts',
  'articles.publish': 'Publications',
  'comments.create': 'Comments and replies',
  'revisions.create': 'Changes to texts',
  'edges.create': 'Links between articles',
  'follows.create': 'New follows',
  'media.create': 'New files',
  'media.bytes': 'Uploads',
  'media.total_bytes': 'Stored files',
  'agents.create': 'New agents',
  'tokens.create': 'New tokens',
  'exports.create': 'Exports',
  'reports.create': 'Reports',
};

const windows = { hour: 'this hour', day: 'today', total: 'in all' } as const;

const KiB = 1024;
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes: `512 MiB`, `1.5 GiB`. */
export function byteSize(bytes: number): string {
  if (bytes < KiB) return formatCount(bytes, 'byte');
  const power = Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(KiB)));
  const size = bytes / KiB ** power;
  const shown = size < 10 ? Math.round(size * 10) / 10 : Math.round(size);
  return `${shown} ${units[power]}`;
}

function startsAgain({ window, reset_at }: Quota): Content {
  if (window === 'total') return 'Deleting files gives it back';
  return html`Starts again <time datetime="${reset_at}">at ${reset_at.slice(11, 16)} UTC</time>`;
}

function bar(quota: Quota): Html {
  const { action, limit, remaining, window } = quota;
  const used = limit - remaining;
  const shown = action.endsWith('bytes') ? byteSize : figure;
  const said = `${shown(used)} of ${shown(limit)}`;
  const id = `quota-${action.replace('.', '-')}`;
  return html`<li>
<p><span id="${id}">${words[action]}</span> <span>${said} ${windows[window]}</span></p>
<meter aria-labelledby="${id}" min="0" max="${Math.max(1, limit)}" low="${Math.max(1, limit) * 0.8}" high="${Math.max(1, limit) * 0.95}" optimum="0" value="${used}">${said}</meter>
<p class="small">${remaining === 0 && html`<strong>Used up.</strong> `}${startsAgain(quota)}</p>
</li>`;
}

export function quotaBars(quotas: readonly Quota[]): Html {
  return html`<ul class="quotas">${quotas.map(bar)}</ul>`;
}

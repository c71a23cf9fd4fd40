// `/settings/limits`: the trust level, what raises it, and how much of each limit is used.
import { trustLevelMax, trustSteps, upheldReportDays } from '@colophon/contract';
import { formatCount, figure } from '../components/labels.ts';
import { quotaBars } from '../components/quotas.ts';
import { settingsIntro } from '../components/settings.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Principal } from '../page-services.ts';

const dayMs = 86_400_000;

/** Says what raises the level, and how far the account is. */
function nextLevel({ trust_level: level, created_at, counts }: Principal): Content {
  const step = trustSteps.find((one) => one.level > level);
  if (step === undefined)
    return level >= trustLevelMax
      ? html`<p>This is the highest level.</p>`
      : html`<p>An administrator can give you level ${trustLevelMax}. It cannot be earned.</p>`;
  const days = Math.floor((Date.now() - Date.parse(created_at)) / dayMs);
  return html`<p>You reach level ${step.level} by itself when:</p>
<ul>
<li>your account is ${formatCount(step.days, 'day')} old (it is ${formatCount(days, 'day')} old),</li>
<li>you have ${formatCount(step.articles, 'published article')} (you have ${figure(counts?.articles ?? 0)}) or ${formatCount(step.comments, 'comment')}, and</li>
<li>no report about you or your agents was upheld in the last ${upheldReportDays} days.</li>
</ul>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showLimits(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke, caller, config } = web;
  if (caller === null) return signInFirst(asked);
  const params = { id: caller.id };
  const [own, quota] = await Promise.all([
    invoke('readPrincipal', { caller, params }),
    invoke('readQuota', { caller, params }),
  ]);
  const { trust_level: level, quotas } = quota.body;
  const main = html`${settingsIntro(web, 'limits', 'Limits')}
<section aria-labelledby="level">
<h2 id="level">Trust level ${level}</h2>
<p>A higher level has higher limits. Your agents are at your level at most.</p>
${nextLevel(own.body)}
</section>
<section aria-labelledby="used">
<h2 id="used">What you have used</h2>
<p>You and your agents share these limits. <a href="${site.at('/docs/limits')}">How limits work</a></p>
${config.limits.off && html`<p class="note" role="note">This service has switched its limits off: nothing is counted.</p>`}
${quotaBars(quotas)}
</section>`;
  const page = {
    title: 'Limits',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'account' as const,
  };
  return pageResponse(web, page, false);
}

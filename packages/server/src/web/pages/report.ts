// `/report?type=&id=`: reports something to the moderators, also signed out.
import { reportCategories, targetTypes } from '@colophon/contract';
import type { ReportCategory, TargetType } from '@colophon/contract';
import { problem } from '#http';
import { isId } from '#lib/id';
import { attemptAt, faultBelow, field, focusOfFirst, pageForm } from '../components/forms.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';

/** What can be reported, in words. */
const things: Readonly<Record<TargetType, string>> = {
  article: 'article',
  comment: 'comment',
  principal: 'account',
  media: 'picture or file',
};

const categories: Readonly<Record<ReportCategory, readonly [name: string, meaning: string]>> = {
  spam: ['Spam', 'advertising, or the same text again and again'],
  illegal: ['Against the law', 'say below which law, and where'],
  copyright: ['Copyright', 'it uses somebody’s work without permission'],
  abuse: ['Abuse', 'it harasses, threatens or insults people'],
  injection: ['Hidden instructions', 'it tries to make AI agents do something'],
  other: ['Something else', 'say below what is wrong'],
};

/** What a report is about. Whether it exists is not looked up: the page looks the same for every id. */
export interface Target {
  readonly type: TargetType;
  readonly id: string;
}

/** @throws not-found: the address names nothing that can be reported */
export function targetOf(asked: Pick<PageRequest, 'query' | 'params' | 'request'>): Target {
  const type = targetTypes.find((one) => one === queryValue(asked, 'type'));
  const id = queryValue(asked, 'id') ?? '';
  if (type === undefined || !isId(id))
    throw problem('not-found', 'The address must name what is reported: type and id.');
  return { type, id };
}

export function reportPath({ type, id }: Target): string {
  return `/report?type=${type}&id=${id}`;
}

/** The way to report something to the moderators. robots.txt asks crawlers not to follow it. */
export function reportLink(
  { site }: Pick<PageContext, 'site'>,
  target: Target,
  label = 'Report',
): Html {
  return html`<a href="${site.at(reportPath(target))}">${label}</a>`;
}

function categoryField(value: string, fault: string | undefined): Html {
  const choices = reportCategories.map((key, at) => {
    const [name, meaning] = categories[key];
    return html`<label><input type="radio" name="category" value="${key}" required${key === value && html` checked`}${focusOfFirst(at, fault)}> <span><strong>${name}</strong> ${meaning}</span></label>
`;
  });
  return html`<fieldset class="choices"${fault !== undefined && html` aria-invalid="true"`} aria-describedby="category-fault">
<legend>What is wrong?</legend>
${choices}${faultBelow('category', fault)}
</fieldset>`;
}

function contactField({ caller }: PageContext, value: string, fault: string | undefined): Content {
  if (caller !== null) return null;
  return field({
    name: 'contact',
    label: 'How can we reach you? (optional)',
    hint: 'An e-mail address, for example. Only moderators see it.',
    autocomplete: 'email',
    value,
    fault,
  });
}

function reportForm(web: PageContext, asked: PageRequest, target: Target): Html {
  const { site } = web;
  const { value, fault } = attemptAt(asked, 'report');
  const place = { name: 'report', path: reportPath(target) };
  return html`<header class="intro">
<h1>Report this ${things[target.type]}</h1>
<p>Moderators read every report. No one else learns who sent it.</p>
</header>
${pageForm(
  { site, asked },
  place,
  html`${categoryField(value('category'), fault('category'))}
${field({
  name: 'details',
  label: 'Tell us more (optional)',
  hint: 'What a moderator should look at, and why.',
  lines: 5,
  value: value('details'),
  fault: fault('details'),
})}
${contactField(web, value('contact'), fault('contact'))}
<p><button>Send report</button></p>`,
)}`;
}

function wayBack({ site }: PageContext, { type, id }: Target): Content {
  // An article is found by its id, whatever the name before it.
  const path = { comment: `/comments/${id}`, article: `/@-/${id}`, principal: '/', media: '/' }[
    type
  ];
  const label = path === '/' ? 'the latest articles' : `the ${things[type]}`;
  return html`<p><a href="${site.at(path)}">Back to ${label}</a></p>`;
}

function thanks(web: PageContext, target: Target): Html {
  const outcome =
    web.caller === null
      ? 'If you left an address, a moderator may write to you.'
      : html`Your <a href="${web.site.at('/notifications')}">notifications</a> will say how it ended.`;
  return html`<header class="intro">
<h1 id="sent" tabindex="-1">Thank you</h1>
<p>A moderator will look at the ${things[target.type]}. If it breaks the rules it is hidden or removed. Its author is told why, but not who reported it.</p>
<p>${outcome}</p>
${wayBack(web, target)}
</header>`;
}

/** Shows the form, or what happens next when it was sent. */
export async function showReport(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const target = targetOf(asked);
  const isSent = queryValue(asked, 'sent') !== undefined;
  const page = {
    title: isSent ? 'Thank you' : `Report this ${things[target.type]}`,
    description: '',
    canonical: undefined,
    noindex: true,
    main: isSent ? thanks(web, target) : reportForm(web, asked, target),
    hasForms: true as const,
  };
  return pageResponse(web, page, false);
}

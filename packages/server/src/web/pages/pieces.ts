// `/-/pieces`: every component in every state, for those who work on the pages. Not in production.
import { eventTypes } from '@colophon/contract';
import { problem } from '#http';
import { isLoopback } from '#lib/loopback';
import { assetPaths } from '../assets.ts';
import {
  articleCards,
  badge,
  byline,
  foundCard,
  pager,
  topicList,
  when,
} from '../components/components.ts';
import { choice, codesSection, field, pageForm } from '../components/forms.ts';
import { notificationLine } from '../components/notification.ts';
import { radios } from '../components/options.ts';
import { tabs } from '../components/tabs.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Site } from '../site.ts';
import { agent, human, notificationOf, summaryOf, timesOf } from './piece-samples.ts';

function part(title: string, content: Content): Html {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function buttons(): Html {
  return html`<div><p><button type="button">Publish</button> <button type="button" class="quiet">Not now</button> <a class="button" href="#buttons">A link</a> <a class="button quiet" href="#buttons">A quiet link</a></p>
<p><button type="button" disabled>Disabled</button> <button type="button" disabled class="quiet">Disabled, quiet</button> <button type="button" aria-busy="true">Busy</button></p></div>
<div class="acts"><div class="act"><button type="button">Small</button> <button type="button" class="quiet">Small, quiet</button></div></div>`;
}

function fields(site: Site, asked: PageRequest): Html {
  const fault = 'must be one line';
  const content = html`${field({ name: 'plain', label: 'A field', value: 'What was typed' })}
${field({ name: 'hinted', label: 'With a hint', hint: 'Shown beside your username.', required: true })}
${field({ name: 'faulty', label: 'Refused', value: 'two\u2028lines', fault })}
${field({ name: 'long', label: 'Of several lines', hint: 'Markdown works here.', lines: 3 })}
${field({ name: 'both', label: 'With a hint, refused', hint: '3 to 32 letters.', fault: 'This name is taken. Choose another.' })}
<p><button type="button">Save</button></p>`;
  return pageForm({ site, asked }, { name: 'none', path: '/-/pieces' }, content);
}

function choices(): Html {
  const stances = { '': 'No stance', asks: 'Asks: has a question' };
  const seen = {
    public: { label: 'Public', hint: 'Everybody finds it.' },
    private: { label: 'Private', hint: 'Only you see it.' },
  };
  return html`<div class="form">${choice({ name: 'stance', label: 'One of a list', options: stances })}
${choice({ name: 'refused-stance', label: 'Refused', options: stances, fault: 'must be one of the list' })}
${radios({ name: 'seen', legend: 'One of a few, with words', options: seen, value: 'public' })}
${radios({ name: 'refused-seen', legend: 'Refused', options: seen, value: '', fault: 'must be chosen' })}
<label class="tick"><input type="checkbox" checked><span>A tick</span></label></div>`;
}

/** As `sign-in-again.ts` of the islands opens it. */
const dialog = html`<dialog class="dialog" open aria-labelledby="again">
<h3 id="again">Sign in again</h3>
<p>Your session has ended. Nothing that you typed is lost.</p>
<p class="fault" role="alert">The passkey was not used. Try again when you are ready.</p>
<p><button type="button">Sign in with a passkey</button> <button type="button" class="quiet">Not now</button></p>
</dialog>`;

function people(site: Site): Html {
  return html`<p>${badge(human)} ${badge(agent)}</p>
<p class="meta">${byline(site, human)} <span>a person with a name</span></p>
<p class="meta">${byline(site, agent)} <span>an agent without one</span></p>`;
}

function cards(site: Site): Html {
  const long = 'A long title that does not fit one line of a phone, and wraps where it should';
  const articles = [
    summaryOf(human, 'On moss'),
    summaryOf(agent, long, { topics: [], counts: { comments: 0, edges_in: 0, edges_out: 0 } }),
    summaryOf(human, 'نص عربي', { language: 'ar', excerpt: 'نص قصير.' }),
  ];
  const found = {
    text: 'A short text about moss.',
    marked: html`A short text about <mark>moss</mark>.`,
  };
  return html`${articleCards(site, articles, { empty: '', level: 3 })}
<ol class="cards" role="list">${foundCard(site, summaryOf(human, 'Found by a search'), found)}</ol>
${articleCards(site, [], { empty: 'No article has this topic.', level: 3 })}`;
}

const notes = html`<p class="note">A note: the change was saved.</p>
<p class="note warning">A warning: this cannot be undone.</p>
<p class="small">Small print.</p>
<p class="fault">What went wrong, and what to do next.</p>`;

function notifications(site: Site): Html {
  const all = [
    ...eventTypes.map((type) => notificationOf(type)),
    notificationOf('follow.created', null),
    notificationOf('unknown.type'),
  ];
  const rows = all.map(
    (one) =>
      html`<li class="notification"><span class="dot"><span class="hidden">Unread: </span></span>${notificationLine(site, one)} <span class="small">${when(one.created_at)}</span></li>`,
  );
  return html`<ul class="plain">${rows}</ul>`;
}

function parts(site: Site, asked: PageRequest): readonly Html[] {
  const here = ['All', 'Comments', 'Links'].map((label, index) => ({
    path: '#tabs',
    label,
    isCurrent: index === 0,
  }));
  return [
    part('Buttons', buttons()),
    part('Fields', fields(site, asked)),
    part('Choices', choices()),
    part('Dialog', dialog),
    part('People and agents', people(site)),
    part('Times', html`<ul>${timesOf().map((time) => html`<li>${when(time)}</li>`)}</ul>`),
    part('Tabs', tabs('Example', here)),
    part('Topics', topicList(site, ['moss', 'stones'])),
    part('Cards', cards(site)),
    part(
      'Pager',
      pager({ next: '#pager', nextLabel: 'Older', first: '#pager', firstLabel: 'Newest' }),
    ),
    part('Notes', notes),
    part('Notifications', notifications(site)),
    part('Codes', codesSection(html`<p><a class="button" href="#codes">Go on</a></p>`)),
  ];
}

/** Shows the page on loopback and on staging. */
export async function showPieces(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site } = web;
  if (!site.staging && !isLoopback(new URL(site.baseUrl).hostname))
    throw problem('not-found', 'There is no page at this address.');
  const main = html`<div class="pieces"><header class="intro">
<h1>Pieces</h1>
<p>Every component of the pages in every state, from <code>web/components</code>. This page is missing in production.</p>
</header>
${parts(site, asked)}</div>`;
  const page = {
    title: 'Pieces',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    hasForms: true as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}

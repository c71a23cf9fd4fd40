// What the pages of revisions share: the choice of two to compare, and the changes between them.
import type { PageContext, PageRequest } from '../context.ts';
import { queryValue } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Diff, Revision } from '../page-services.ts';
import { withQuery } from '../site.ts';
import { changesOf, sizeOfChange } from './changes.ts';
import type { View } from './changes.ts';
import { exactly } from './components.ts';
import { tabs } from './tabs.ts';

/** The ids of two revisions, the older one first; undefined: none is chosen. */
export interface Pair {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Ids ascend with time: the older revision comes first, whichever was chosen first. */
export function chosenPair(asked: PageRequest): Pair | undefined {
  const [from, to] = [queryValue(asked, 'from'), queryValue(asked, 'to')];
  if (to === undefined) return undefined;
  return from !== undefined && from > to ? { from: to, to: from } : { from, to };
}

/** Returns the parameters of readDiff. */
export function diffParameters({ from, to }: Pair): {
  readonly from?: string;
  readonly to?: string;
} {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

export function viewAsked(asked: PageRequest): View {
  return queryValue(asked, 'view') === 'sides' ? 'sides' : 'inline';
}

/** The two choices of a comparison, in the form `compare`. */
export function picks(
  { revision_id: id }: Pick<Revision, 'revision_id'>,
  at: string,
  { from, to }: Pair,
): Html {
  const pick = (name: string, chosen: string | undefined, label: string) =>
    html`<label><input form="compare" type="radio" name="${name}" value="${id}"${id === chosen && html` checked`}><span class="hidden">${label} ${exactly(at)}</span></label>`;
  return html`<span class="picks">${pick('from', from, 'Compare from')}${pick('to', to, 'Compare to')}</span>`;
}

/** The form of the choices, which sends to `path`, and their heads for the eye: each choice has a name of its own. */
export function compareForm(path: string, { view, count }: { view: View; count: number }): Html {
  return html`<form id="compare" method="get" action="${path}#changes">${view === 'sides' && html`<input type="hidden" name="view" value="sides">`}</form>
${
  count > 1 &&
  html`<p class="compare"><button form="compare" class="quiet">Compare the two that are chosen</button></p>
<p class="picks heads" aria-hidden="true"><span>From</span><span>To</span></p>`
}`;
}

/** The changes, and the links to the other way of showing them. */
export async function comparison(
  web: PageContext,
  diff: Diff | undefined,
  { path, view }: { readonly path: string; readonly view: View },
): Promise<Content> {
  if (diff === undefined) return null;
  const pair = { from: diff.from_revision_id ?? undefined, to: diff.to_revision_id };
  const way = (as: View, label: string) => ({
    path: `${web.site.at(withQuery(path, { ...pair, ...(as === 'sides' ? { view: as } : {}) }))}#changes`,
    label,
    isCurrent: as === view,
  });
  return html`<section class="changes" aria-labelledby="changes">
<h2 id="changes">What changed</h2>
<p class="small">${sizeOfChange(diff)}</p>
${tabs('How the changes are shown', [way('inline', 'One below the other'), way('sides', 'Side by side')])}
${await changesOf(web, diff, view)}
</section>`;
}

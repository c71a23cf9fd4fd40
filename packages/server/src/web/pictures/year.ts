// The past year of a participant as a picture of weeks: works above the line, citations below it; and as a table.
import { weeksFrom } from '#lib/weeks';
import { formatCount, dayOf, figure } from '../components/labels.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Reception, WeekCount } from '../page-services.ts';

interface Week {
  readonly week: string;
  readonly articles: number;
  readonly comments: number;
  readonly citations: number;
}

/** Units of the picture. */
const column = 12;
const bar = 9;
const above = 64;
const below = 30;
const months = 16;
/** The least height of a bar that is there. */
const least = 3;

/** Returns every week of the year, also those in which nothing was done. */
export function weeksOfYear({ since, articles, comments, citations }: Reception): readonly Week[] {
  const inWeek = (counts: readonly WeekCount[]) =>
    new Map(counts.map(({ week, count }) => [week, count]));
  const all = [inWeek(articles), inWeek(comments), inWeek(citations)] as const;
  return weeksFrom(since).map((week) => {
    const [one = 0, two = 0, three = 0] = all.map((counts) => counts.get(week) ?? 0);
    return { week, articles: one, comments: two, citations: three };
  });
}

const heightOf = (count: number, most: number, room: number) =>
  count === 0 ? 0 : Math.max(least, Math.round((count / most) * room));

function barsOf(week: Week, index: number, most: { works: number; citations: number }): Content {
  const x = index * column + (column - bar) / 2;
  const total = heightOf(week.articles + week.comments, most.works, above);
  const works = week.articles + week.comments;
  const solid = works === 0 ? 0 : Math.round((week.articles / works) * total);
  const parts = [
    { name: 'articles', y: above - solid, height: solid },
    { name: 'comments', y: above - total, height: total - solid },
    { name: 'citations', y: above + 2, height: heightOf(week.citations, most.citations, below) },
  ];
  return parts.map(
    ({ name, y, height }) =>
      height > 0 &&
      html`<rect class="${name}" x="${x}" y="${y}" width="${bar}" height="${height}"/>`,
  );
}

/** The short names of the months below the first week of each. */
function monthNames(weeks: readonly Week[]): Content {
  return weeks.map(({ week }, index) => {
    const isFirst = index > 0 && week.slice(0, 7) !== weeks[index - 1]?.week.slice(0, 7);
    return (
      isFirst &&
      index < weeks.length - 2 &&
      html`<text x="${index * column}" y="${above + below + months - 3}">${dayOf(week).split(' ')[1]?.slice(0, 3)}</text>`
    );
  });
}

function table(weeks: readonly Week[]): Html {
  const rows = weeks
    .filter(({ articles, comments, citations }) => articles + comments + citations > 0)
    .map(
      ({ week, articles, comments, citations }) =>
        html`<tr><th scope="row">${dayOf(week)}</th><td>${articles}</td><td>${comments}</td><td>${citations}</td></tr>
`,
    );
  return html`<details class="small"><summary>The same as a table</summary><table>
<thead><tr><th scope="col">Week of</th><th scope="col">Articles</th><th scope="col">Comments</th><th scope="col">Cited</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
}

/** Returns the picture with its table; nothing if nothing was done. */
export function yearPicture(reception: Reception): Content {
  const weeks = weeksOfYear(reception);
  const sum = (name: 'articles' | 'comments' | 'citations') =>
    weeks.reduce((total, week) => total + week[name], 0);
  const [articles, comments, citations] = [sum('articles'), sum('comments'), sum('citations')];
  if (articles + comments + citations === 0) return null;
  const most = {
    works: Math.max(1, ...weeks.map((week) => week.articles + week.comments)),
    citations: Math.max(1, ...weeks.map((week) => week.citations)),
  };
  const width = weeks.length * column;
  const says = `${formatCount(articles, 'article')}, ${formatCount(comments, 'comment')}, cited ${figure(citations)} ${citations === 1 ? 'time' : 'times'}`;
  return html`<section class="year" aria-labelledby="year"><h2 id="year">The past year</h2>
<p class="says"><span class="part articles">${formatCount(articles, 'article')}</span> <span class="part comments">${formatCount(comments, 'comment')}</span> <span class="part citations">cited ${figure(citations)} ${citations === 1 ? 'time' : 'times'}</span></p>
<svg viewBox="0 0 ${width} ${above + below + months}" width="${width}" height="${above + below + months}" role="img" aria-label="By week: ${says} in the past year">
<path class="axis" d="M0 ${above + 1}H${width}"/>
${weeks.map((week, index) => barsOf(week, index, most))}
${monthNames(weeks)}</svg>
${table(weeks)}</section>`;
}

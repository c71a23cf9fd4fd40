// A comparison as a picture: for each job a bar for each side, on a logarithmic scale.

export interface Heading {
  /** What a screen reader calls the picture. */
  readonly title: string;
  /** Stands above the bars, with the unit. */
  readonly heading: string;
}

export interface Bar {
  readonly title: string;
  readonly side: string;
  readonly perSecond: number;
}

const width = 960;
const left = 230;
const right = 90;
const barHeight = 13;
const groupGap = 14;
const top = 56;
/** Colours that people who see few colours can tell apart (Okabe and Ito), on white and on black. */
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#767676'];

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const rateText = (rate: number) =>
  rate >= 100 ? Math.round(rate).toLocaleString('en') : rate.toPrecision(2);

/** Returns the length of a bar: the same ratio is the same length everywhere. */
function scaleOf(bars: readonly Bar[]) {
  const highest = Math.log10(Math.max(...bars.map((bar) => bar.perSecond)));
  const lowest = Math.min(0, ...bars.map((bar) => Math.log10(bar.perSecond)));
  return (rate: number) =>
    Math.max(1, ((Math.log10(rate) - lowest) / (highest - lowest)) * (width - left - right));
}

function legend(sides: readonly string[]): string {
  return sides
    .map(
      (side, at) =>
        `<rect x="${left + at * 120}" y="30" width="11" height="11" fill="${colours[at % colours.length]}"/>` +
        `<text x="${left + at * 120 + 16}" y="40">${escapeXml(side)}</text>`,
    )
    .join('\n');
}

/** Returns an SVG whose text is read out as a list of all figures. */
export function plot({ title, heading }: Heading, bars: readonly Bar[]): string {
  const sides = [...new Set(bars.map((bar) => bar.side))];
  const length = scaleOf(bars);
  const lines: string[] = [];
  let y = top;
  for (const [job, group] of Map.groupBy(bars, (bar) => bar.title)) {
    const middle = y + (group.length * barHeight) / 2 + 4;
    lines.push(`<text x="${left - 10}" y="${middle}" text-anchor="end">${escapeXml(job)}</text>`);
    for (const { side, perSecond } of group) {
      const fill = colours[sides.indexOf(side) % colours.length];
      const end = left + length(perSecond);
      lines.push(
        `<rect x="${left}" y="${y}" width="${(end - left).toFixed(1)}" height="${barHeight - 2}" fill="${fill}">` +
          `<title>${escapeXml(`${job}, ${side}: ${rateText(perSecond)} a second`)}</title></rect>`,
        `<text x="${(end + 5).toFixed(1)}" y="${y + 10}">${rateText(perSecond)}</text>`,
      );
      y += barHeight;
    }
    y += groupGap;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${y}" fill="#fff"/>`,
    `<text x="${left}" y="18" font-weight="bold">${escapeXml(heading)}</text>`,
    legend(sides),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

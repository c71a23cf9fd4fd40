// Charts as SVG, made on the server. Each has a name for screen readers, and a table beside it says the same.
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { figure } from './labels.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The part of it that is marked; 0 if undefined. */
  readonly of?: number;
}

const width = 420;
const columnsHeight = 180;
const base = 150;

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Columns side by side, such as one for each month. `name` says what they show. */
export function columnChart(name: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = width / Math.max(1, bars.length);
  const columns = bars.map(({ label, value, of = 0 }, at) => {
    const [x, wide] = [roundToTenth(at * step + step * 0.15), roundToTenth(step * 0.7)];
    const [all, part] = [value, of].map((count) => roundToTenth((count / most) * (base - 25)));
    const middle = roundToTenth(at * step + step / 2);
    return html`<rect class="bar" x="${x}" y="${roundToTenth(base - (all ?? 0))}" width="${wide}" height="${all ?? 0}"/>${of > 0 && html`<rect class="bar of" x="${x}" y="${roundToTenth(base - (part ?? 0))}" width="${wide}" height="${part ?? 0}"/>`}<text class="value" x="${middle}" y="${roundToTenth(base - (all ?? 0) - 5)}" text-anchor="middle">${figure(value)}</text><text x="${middle}" y="${base + 18}" text-anchor="middle">${label}</text>
`;
  });
  return html`<svg class="chart" viewBox="0 0 ${width} ${columnsHeight}" role="img" aria-label="${name}">
<line class="axis" x1="0" y1="${base}" x2="${width}" y2="${base}"/>
${columns}</svg>`;
}

const rowHeight = 26;
/** Of a letter of a label, in a wide font. */
const letterWidth = 7.8;

/** Bars below each other, the longest first. */
export function barChart(name: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const longest = Math.max(...bars.map(({ label }) => label.length));
  const labelWidth = Math.min(width / 2, Math.max(100, Math.ceil(longest * letterWidth) + 12));
  const long = width - labelWidth - 50;
  const rows = bars.map(({ label, value }, at) => {
    const y = at * rowHeight;
    const wide = roundToTenth((value / most) * long);
    return html`<text x="${labelWidth - 10}" y="${y + 17}" text-anchor="end">${label}</text><rect class="bar" x="${labelWidth}" y="${y + 5}" width="${wide}" height="16"/><text class="value" x="${labelWidth + wide + 6}" y="${y + 17}">${figure(value)}</text>
`;
  });
  return html`<svg class="chart" viewBox="0 0 ${width} ${Math.max(1, bars.length) * rowHeight + 6}" role="img" aria-label="${name}">
${rows}</svg>`;
}

/** One bar that shows how much of something is used. */
export function gauge(name: string, used: number, total: number): Html {
  const wide = roundToTenth(Math.min(1, total === 0 ? 0 : used / total) * width);
  const isHigh = total > 0 && used / total > 0.9;
  return html`<svg class="chart" viewBox="0 0 ${width} 18" role="img" aria-label="${name}">
<rect class="track" width="${width}" height="18" rx="4"/><rect class="bar${isHigh && ' of'}" width="${wide}" height="18" rx="4"/></svg>`;
}

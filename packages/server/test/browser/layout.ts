// What does not fit its window: a page that scrolls sideways, a control that is cut off, a header of too many rows.
import type { Page } from 'playwright-core';

/** In CSS pixels: a small phone, a usual one, a tablet, a small and a large window on a desktop. */
const widths = [360, 390, 768, 1024, 1280];

// Each of the following runs in the page, and returns what is wrong in words.

/** The header with as many unread notifications as its mark shows, and the page as a whole. */
function lookAround(): string[] {
  const mark = document.querySelector<HTMLElement>('.unread');
  if (mark !== null) mark.hidden = false;
  for (const count of document.querySelectorAll('.unread .count')) count.textContent = '99+';
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const middles = Array.from(document.querySelectorAll('.top a'), (link) => {
    const { top, height } = link.getBoundingClientRect();
    return top + height / 2;
  }).toSorted((one, other) => one - other);
  const rows = middles.filter((at, index) => at - (middles[index - 1] ?? -99) > 12).length;
  return [
    ...(scrollWidth > width ? [`the page is ${scrollWidth - width} px too wide`] : []),
    // One row on a desktop; the name and what is the person’s own above the places on a phone.
    ...(rows > (width < 704 ? 2 : 1) ? [`the header has ${rows} rows`] : []),
  ];
}

/** Controls and headings that reach beyond what is seen, where nothing scrolls to the rest of them. */
function lookForCutOff(): string[] {
  const { clientWidth: width } = document.documentElement;
  /** A text may scroll inside the page; what a person works with may not. */
  const scrolls = (element: Element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowX) &&
    !element.matches('nav, form, fieldset, [role="toolbar"]');
  const beyond = (element: Element): number => {
    const own = element.getBoundingClientRect();
    let [left, right] = [0, width];
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (scrolls(at)) return 0;
      if (getComputedStyle(at).overflowX === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    return Math.max(left - own.left, own.right - right);
  };
  const controls = 'a, button, input, select, textarea, summary, label, legend, meter, h1, h2, h3';
  return [...document.querySelectorAll(controls)].flatMap((control) => {
    const isSeen = control.checkVisibility({ visibilityProperty: true });
    // What is there for screen readers, or until it gets the focus.
    if (!isSeen || control.closest('.hidden, .skip') !== null) return [];
    const pixels = Math.round(beyond(control));
    const name = `<${control.localName} ${control.className}> ${control.textContent.slice(0, 60)}`;
    return pixels > 1 ? [`${pixels} px cut off: ${name}`] : [];
  });
}

/** Options that their list box cannot show whole. */
function lookForLongOptions(): string[] {
  const found: string[] = [];
  const ruler = document.createElement('span');
  Object.assign(ruler.style, { position: 'absolute', whiteSpace: 'pre' });
  document.body.append(ruler);
  for (const select of document.querySelectorAll('select')) {
    if (!select.checkVisibility()) continue;
    const { font, fontSize, paddingLeft, paddingRight } = getComputedStyle(select);
    ruler.style.setProperty('font', font);
    // The arrow has about the width of a letter and a half.
    const arrow = 1.25 * Number.parseFloat(fontSize);
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    for (const { text } of select.options) {
      ruler.textContent = text;
      const { width } = ruler.getBoundingClientRect();
      const pixels = Math.ceil(width + padding + arrow - select.clientWidth);
      // A name can be as long as its owner likes.
      if (pixels > 0 && !text.startsWith('@'))
        found.push(`“${text}” is ${pixels} px too long for #${select.id}`);
    }
  }
  ruler.remove();
  return found;
}

/** Buttons whose words do not fit in them. */
function lookForLongWords(): string[] {
  const found: string[] = [];
  for (const button of document.querySelectorAll('button, .button, summary')) {
    const pixels = button.scrollWidth - button.clientWidth;
    const isSeen = button.clientWidth > 0 && button.checkVisibility();
    if (isSeen && pixels > 1) found.push(`${pixels} px of “${button.textContent}” cut off`);
  }
  return found;
}

/** What scrolls sideways without a shadow at the end where there is more. */
function lookForHiddenRest(): string[] {
  return [...document.querySelectorAll('body *')].flatMap((element) => {
    const { overflowX, backgroundImage } = getComputedStyle(element);
    const isText =
      !element.matches('nav, form, fieldset, [role="toolbar"]') && element.clientWidth > 0;
    const goesOn = isText && element.scrollWidth > element.clientWidth + 1;
    if (!goesOn || !/auto|scroll/.test(overflowX) || backgroundImage.includes('gradient'))
      return [];
    return [`<${element.localName} ${element.className}> does not show that it goes on`];
  });
}

/** Words of charts that reach beyond their picture. */
function lookForCutCharts(): string[] {
  const found: string[] = [];
  for (const text of document.querySelectorAll<SVGElement>('.chart text, .year text')) {
    const own = text.getBoundingClientRect();
    const picture = text.ownerSVGElement?.getBoundingClientRect() ?? own;
    const isOut = own.left < picture.left - 1 || own.right > picture.right + 1;
    if (own.width > 0 && isOut) found.push(`“${text.textContent}” reaches beyond its picture`);
  }
  return found;
}

const looks = [
  lookAround,
  lookForCutOff,
  lookForHiddenRest,
  lookForLongOptions,
  lookForLongWords,
  lookForCutCharts,
];

/** Returns what does not fit at each of the widths, for the page in the state that it is in. */
export async function misfits(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const look of looks)
      found.push(...(await page.evaluate(look)).map((fault) => `at ${width} px: ${fault}`));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
}

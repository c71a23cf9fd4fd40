// Adjusts the heading levels of rendered HTML.

const headingTag = /<(\/?)h([1-6])(?=[ >])/g;

/**
 * Moves the headings of a rendered text below a heading of level `above`, and closes the gaps between them: a
 * text that begins with `###` would otherwise skip a level. In the renderer's output, `<` occurs only in
 * tags.
 */
export function moveHeadings(safe: string, above: number): string {
  const open: number[] = [];
  let level = above + 1;
  return safe.replaceAll(headingTag, (_, slash: string, digit: string) => {
    if (slash === '') {
      const own = Number(digit);
      while ((open.at(-1) ?? 0) >= own) open.pop();
      open.push(own);
      level = Math.min(6, above + open.length);
    }
    return `<${slash}h${level}`;
  });
}

// Code of Markdown that is marked by its indentation alone.

const isDeep = /^(?: {4}| {0,3}\t)/;
/** Lines below which indentation has another meaning: lists, notes, boxes of other programs, HTML. */
const opensContainer = /^ {0,3}(?:(?:[-*+:]|\d{1,9}[.)])(?=[ \t]|$)|<|\[\^|!!!|\?\?\?|===[ \t])/;
const endsContainer = /^ ?\S/;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found + 1;
    yield { start, end, text: text.slice(start, end) };
    start = end;
  }
}

/** Returns the start and end of each line of such code. In doubt, a line is not code. */
function* codeLines(text: string): Generator<Line> {
  let [isAfterBlank, isInContainer, isCode] = [true, false, false];
  for (const line of linesOf(text)) {
    if (line.text.trim() === '') {
      isAfterBlank = true;
      continue;
    }
    isCode = isDeep.test(line.text) && (isCode || (isAfterBlank && !isInContainer));
    if (isCode) yield line;
    else if (opensContainer.test(line.text)) isInContainer = true;
    else if (isAfterBlank && endsContainer.test(line.text)) isInContainer = false;
    isAfterBlank = false;
  }
}

/** Returns whether a place of a text is inside such code. Places only grow. */
export function indentedCode(text: string): (place: number) => boolean {
  const lines = codeLines(text);
  let next = lines.next();
  return (place) => {
    while (next.done !== true && next.value.end <= place) next = lines.next();
    return next.done !== true && next.value.start <= place;
  };
}

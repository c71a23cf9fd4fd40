// What commands print: lines, records and lists, for people or as JSON.
import { once } from 'node:events';
import { toJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';
import { oneLine } from './printable.ts';
import { styleOf } from './style.ts';
import type { Style } from './style.ts';

export interface Column<T> {
  readonly title: string;
  readonly value: (item: T) => string | number | boolean | null | undefined;
  /** Keeps its width where the others are cut. */
  readonly fixed?: true;
}

export interface Output {
  readonly json: boolean;
  readonly isTTY: boolean;
  readonly width: number;
  readonly style: Style;
  /** Prints text as it is: the caller has made participants' text printable. */
  write(text: string): Promise<void>;
  /** Prints a line of printable text. */
  line(text: string): Promise<void>;
  /** A remark for people beside the output, on standard error; not with --json. */
  note(text: string): void;
  /** Prints an answer: JSON with --json, else the lines for people. */
  answer(body: unknown, lines: () => readonly string[]): Promise<void>;
  /** Prints a list: JSON lines with --json, a table at a terminal, else columns separated by tabs. */
  list<T>(items: AsyncIterable<T> | Iterable<T>, columns: readonly Column<T>[]): Promise<void>;
}

const cell = <T>({ value }: Column<T>, item: T) => oneLine(String(value(item) ?? ''));

/** Opens the output of a command. */
export function openOutput(terminal: Terminal, json: boolean): Output {
  const { output, errors } = terminal;
  const isTTY = output.isTTY === true;
  const width = output.columns ?? 80;
  const style = styleOf(terminal, 'output');
  const write = async (text: string) => {
    if (!output.write(text)) await once(output, 'drain', { signal: terminal.signal });
  };
  const line = (text: string) => write(`${text}\n`);
  const list: Output['list'] = async (items, columns) => {
    if (isTTY && !json) {
      const { table } = await import('./table.ts');
      const rows: string[][] = [];
      for await (const item of items) rows.push(columns.map((column) => cell(column, item)));
      await write(table(columns, rows, { width, style }));
      return;
    }
    for await (const item of items) {
      await line(json ? toJson(item) : columns.map((column) => cell(column, item)).join('\t'));
    }
  };
  return {
    json,
    isTTY,
    width,
    style,
    write,
    line,
    list,
    note: (text) => {
      if (!json) errors.write(`${text}\n`);
    },
    answer: (body, lines) => (json ? line(toJson(body)) : write(`${lines().join('\n')}\n`)),
  };
}

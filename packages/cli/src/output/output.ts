// What commands print: lines, records and lists, for people or as JSON.
import { cannotPrint } from '../files.ts';
import { toJson } from '../json.ts';
import { columnsOf } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';
import { oneLine, printableLines } from './printable.ts';
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
  /**
   * Prints text as it is: the caller has made participants' text printable. `write`, `line` and `list` end the
   * command when its reader has ended: it has what it wants.
   */
  write(text: string): Promise<void>;
  /** Prints a line of printable text. */
  line(text: string): Promise<void>;
  /** A remark for people beside the output, on standard error; not with --json. */
  note(text: string): void;
  /**
   * Prints an answer: JSON with --json, else the lines for people. The command goes on without a reader, because its
   * exit code says something too. Returns false if nobody reads it.
   */
  answer(body: unknown, lines: () => readonly string[]): Promise<boolean>;
  /** Prints a list: JSON lines with --json, a table at a terminal, else columns separated by tabs. */
  list<T>(items: AsyncIterable<T> | Iterable<T>, columns: readonly Column<T>[]): Promise<void>;
}

/** Ends a command whose output nobody reads any more, such as one before `head`. */
export class ReaderEnded extends Error {}

/** Writes a text, and waits until it is handed over. Returns false if nobody reads any more. */
function send({ output, signal }: Terminal, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    output.write(text, (error?: NodeJS.ErrnoException | null) => {
      signal.removeEventListener('abort', abort);
      if (error && error.code !== 'EPIPE') reject(cannotPrint(error));
      else resolve(!error);
    });
  });
}

const cell = <T>({ value }: Column<T>, item: T) => oneLine(String(value(item) ?? ''));

/** Opens the output of a command. */
export function openOutput(terminal: Terminal, json: boolean): Output {
  const { output, errors } = terminal;
  const isTTY = output.isTTY === true;
  const width = columnsOf(terminal);
  const style = styleOf(terminal, 'output');
  const write = async (text: string) => {
    if (!(await send(terminal, text))) throw new ReaderEnded();
  };
  const line = (text: string) => write(`${text}\n`);
  const list: Output['list'] = async (items, columns) => {
    if (isTTY && !json) {
      const { table } = await import('./table.ts');
      const rows: string[][] = [];
      for await (const item of items) rows.push(columns.map((column) => cell(column, item)));
      // A person would not know whether the command did anything.
      if (rows.length === 0) errors.write('Nothing found.\n');
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
    answer: (body, lines) =>
      send(terminal, json ? `${toJson(body)}\n` : `${printableLines(lines())}\n`),
  };
}

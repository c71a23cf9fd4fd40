// Command lines of examples: words with quotes, and files for standard input and output.

export interface CommandLine {
  readonly words: readonly string[];
  /** The file after `<`. */
  readonly from: string | undefined;
}

/** Returns the words of the first command of a line, as a shell would. */
export function parseLine(line: string): CommandLine {
  const [command = ''] = line.split(' | ');
  const from = / < (\S+)/.exec(command)?.[1];
  const bare = command.replaceAll(/ [<>] \S+/g, '');
  const words = [...bare.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)];
  return { words: words.map(([, single, double, word]) => single ?? double ?? word ?? ''), from };
}

/** Returns the examples of a help text. */
export function examplesIn(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line]) => line ?? '');
}

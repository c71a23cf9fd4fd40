// `colophon completion SHELL`: prints the script that completes commands, options and their values.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';

const name = 'completion';

/**
 * Adds the command, and the hidden `complete` that the scripts call.
 * @param needed whether one of the two runs: else only the summary is added
 */
export async function addCompletion(program: Command, needed: boolean): Promise<void> {
  const summary = 'Print the script that completes commands in your shell';
  if (!needed) {
    program.command(name).summary(summary).helpGroup('Scripts:');
    return;
  }
  const { default: attach } = await import('@bomb.sh/tab/commander');
  attach(program as never, { completionCommandName: name });
  const command = program.commands.find((one) => one.name() === name);
  command?.summary(summary).description(`${summary}.`);
  if (command !== undefined) {
    addExamples(command as unknown as Command, [
      ['source <(colophon completion bash)', 'Bash: add this line to ~/.bashrc'],
      ['source <(colophon completion zsh)', 'Zsh: add this line to ~/.zshrc, after compinit'],
      ['colophon completion fish | source', 'Fish: add this line to ~/.config/fish/config.fish'],
    ]);
  }
}

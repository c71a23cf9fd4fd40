// `colophon completion SHELL`: prints the script that completes commands, options and their values.
import { Argument } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { shellNames, shells } from '../completion/shells.ts';

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(shellNames))
    .action((shell) => open().output.write(shells[shell]));
  addExamples(command, [
    [
      'colophon completion bash > ~/.local/share/bash-completion/completions/colophon',
      'Bash: or add the line `source <(colophon completion bash)` to ~/.bashrc',
    ],
    ['colophon completion zsh > ~/.zfunc/_colophon', 'Zsh: into a folder of $fpath'],
    ['colophon completion fish > ~/.config/fish/completions/colophon.fish', 'Fish'],
  ]);
}

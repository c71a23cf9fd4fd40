// All commands: one row each. A command's file is loaded when the command runs.
import type { CommandFile } from './command.ts';

interface Row {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  readonly load: () => Promise<CommandFile>;
}

const start = 'Start:';
const scripts = 'Scripts:';

export const commandList: readonly Row[] = [
  {
    name: 'signup',
    summary: 'Create an account and store its token in a profile',
    group: start,
    load: () => import('./commands/signup.ts'),
  },
  {
    name: 'profile',
    summary: 'Add, select and remove accounts on this computer',
    group: start,
    load: () => import('./commands/profile.ts'),
  },
  {
    name: 'whoami',
    summary: 'Show the account in use',
    group: start,
    load: () => import('./commands/whoami.ts'),
  },
  {
    name: 'api',
    summary: 'Call any operation of the service',
    group: scripts,
    load: () => import('./commands/api.ts'),
  },
];

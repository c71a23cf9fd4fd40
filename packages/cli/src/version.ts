// The version of the program.
import manifest from '../package.json' with { type: 'json' };

export const { version } = manifest;

// Runs the program: reads the settings, then serves, in this process or in several.
import { readSettings } from './read-settings.ts';

/**
 * Runs until the service serves. `parent` is the process that started this one.
 * @throws Error with a message for the operator, without the secrets of the settings
 */
export async function run(parent: number): Promise<void> {
  const settings = await readSettings();
  if (settings.processes > 1) {
    const { supervise } = await import('./supervise.ts');
    await supervise(settings, parent);
  } else {
    const { serve } = await import('./serve.ts');
    await serve(settings, parent);
  }
}

// The worker side of language detection: loads the detector once.
import { eld } from 'eld/extrasmall';
import { guessLanguage } from './language.ts';
import { worker } from './lib/worker.ts';

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker((markdown: string): string =>
  guessLanguage(markdown, (text) => Object.entries(eld.detect(text).getScores())),
);

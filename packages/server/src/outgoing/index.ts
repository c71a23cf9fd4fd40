// The door for requests to witnesses: the only requests of this service, besides those to its store.
export { askWitness } from './ask-witness.ts';
export type { WitnessAnswer } from './ask-witness.ts';

// Clean: the framework's place.
import { fastify } from 'fastify';

export interface Caller {
  readonly id: string;
}

export function problem(name: string): Error {
  return new Error(name);
}

export function implement(name: string): string {
  return name + String(fastify.length);
}

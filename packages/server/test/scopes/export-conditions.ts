// Exports of agents need more than the scopes that the operations declare.
import type { OperationName, Scope } from '@colophon/contract';
import type { Asked } from '../harness.ts';
import type { Condition, Scenario } from './condition.ts';

type Ask = (scenario: Scenario, principal: 'human' | 'agent') => readonly [string, Asked?];

const idOf = ({ exportId, agentsExportId }: Scenario, principal: 'human' | 'agent') =>
  principal === 'human' ? exportId : agentsExportId;

const asks: Readonly<Partial<Record<OperationName, Ask>>> = {
  createExport: ({ human, agent }, principal) => [
    '/v1/exports',
    { key: true, body: { principal_id: (principal === 'human' ? human : agent).id } },
  ],
  readExport: (scenario, principal) => [`/v1/exports/${idOf(scenario, principal)}`],
  readExportContent: (scenario, principal) => [`/v1/exports/${idOf(scenario, principal)}/content`],
};

export const exported: readonly Condition[] = Object.entries(asks).map(([operation, ask]) => ({
  operation: operation as OperationName,
  when: 'of an agent that one owns: it is reading about the agent',
  who: 'human',
  anyOf: ['agents:read'],
  ask: (scenario) => ask(scenario, 'agent'),
}));

export const exportNeeds: Readonly<Partial<Record<OperationName, readonly Scope[]>>> = {
  createExport: ['agents:read'],
  readExport: ['agents:read'],
  readExportContent: ['agents:read'],
};

// Exports need more than the scope that they declare: an archive holds comments, and those of agents are for their owner.
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

const own: readonly Condition[] = Object.entries({
  ...asks,
  listExports: (() => ['/v1/exports']) satisfies Ask,
  deleteExport: ((scenario) => [`/v1/exports/${scenario.exportId}`]) satisfies Ask,
}).map(([operation, ask]) => ({
  operation: operation as OperationName,
  when: 'of one’s own: an archive holds comments too',
  who: 'human',
  anyOf: ['comments:read'],
  ask: (scenario) => (ask as Ask)(scenario, 'human'),
}));

const ofAgents: readonly Condition[] = Object.entries(asks).map(([operation, ask]) => ({
  operation: operation as OperationName,
  when: 'of an agent that one owns: it is reading about the agent',
  who: 'human',
  anyOf: ['agents:read'],
  besides: ['comments:read'],
  ask: (scenario) => ask(scenario, 'agent'),
}));

export const exported: readonly Condition[] = [...own, ...ofAgents];

export const exportNeeds: Readonly<Partial<Record<OperationName, readonly Scope[]>>> = {
  createExport: ['comments:read', 'agents:read'],
  readExport: ['comments:read', 'agents:read'],
  readExportContent: ['comments:read', 'agents:read'],
  listExports: ['comments:read'],
  deleteExport: ['comments:read'],
};

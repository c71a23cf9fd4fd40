// GET /v1/meta: the lists, limits and allowances in force, from the same source as the checks.
import * as contract from '@colophon/contract';
import { implement } from '#http';
import type { Config } from '#config';

const { operations } = contract;

function mediaTypesOf(kind: (typeof contract.mediaKinds)[number]): readonly string[] {
  return contract.mediaTypes.filter((type) => contract.mediaTypeKinds[type] === kind);
}

const enums: Readonly<Record<string, readonly string[]>> = {
  principal_kind: contract.principalKinds,
  principal_status: contract.principalStatuses,
  article_status: contract.articleStatuses,
  closing_treatment: contract.treatments,
  visibility: contract.visibilities,
  authorship_disclosure: contract.disclosures,
  stance: contract.stances,
  comment_status: contract.commentStatuses,
  edge_kind: contract.edgeKinds,
  edge_direction: contract.edgeDirections,
  search_type: contract.searchTypes,
  feed_kind: contract.feedKinds,
  topic_order: contract.topicOrders,
  link_scheme: contract.linkSchemes,
  media_kind: contract.mediaKinds,
  media_status: contract.mediaStatuses,
  media_type: contract.mediaTypes,
  image_type: mediaTypesOf('image'),
  video_type: mediaTypesOf('video'),
  audio_type: mediaTypesOf('audio'),
  document_type: mediaTypesOf('document'),
  media_source: contract.mediaSources,
  report_category: contract.reportCategories,
  report_status: contract.reportStatuses,
  target_type: contract.targetTypes,
  moderation_action: contract.moderationActions,
  moderation_source: contract.moderationSources,
  reason_code: contract.reasonCodes,
  event_type: contract.eventTypes,
  key_status: contract.keyStatuses,
  signal: contract.signalKinds,
  processing_step: contract.stepStates,
};

const citoOfKinds = Object.fromEntries(
  contract.edgeKinds.map((kind) => [kind, contract.citoBase + contract.citoTerms[kind]]),
);

function quotasOf(config: Config) {
  return Object.fromEntries(
    contract.quotaActions.map((action) => [
      action,
      { window: contract.quotas[action].window, limits: config.limits.quotas[action] },
    ]),
  );
}

export const readMeta = implement(operations.readMeta)(async ({ config, db, transparency }) => ({
  status: 200,
  body: {
    service: 'Colophon',
    interface_version: 'v1',
    deployment: config.deployment,
    registration: config.registration,
    base_url: config.baseUrl,
    errors_base_url: config.errorsBaseUrl,
    scopes: [...contract.scopes],
    problems: [...contract.problemNames],
    enums,
    cito: citoOfKinds,
    limits: contract.limits,
    rates: config.limits.off ? null : config.limits.rates,
    connections_per_address: config.limits.off ? null : config.limits.connectionsPerAddress,
    quotas: quotasOf(config),
    log: await transparency.describe(db),
  },
  shared: true,
}));

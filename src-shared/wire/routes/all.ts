/** The table of the contracts of all REST routes. */

import { AGENT_ROUTES } from './agents.ts';
import { AI_ROUTES } from './ai.ts';
import { CATALOG_ROUTES } from './artifactCatalog.ts';
import { ARTIFACT_ROUTES } from './artifacts.ts';
import { ARTIFACT_UPLOAD_ROUTES } from './artifactUploads.ts';
import { BUILD_ROUTES } from './builds.ts';
import { CACHE_ROUTES } from './cache.ts';
import { CELL_ROUTES } from './cells.ts';
import { CONNECTION_ROUTES } from './connections.ts';
import type { RouteContract } from './contract.ts';
import { DATA_PLANE_ROUTES } from './dataPlane.ts';
import { ENVIRONMENT_ROUTES } from './environment.ts';
import { ENVIRONMENT_EXTENSION_ROUTES } from './environmentExtensions.ts';
import { EXTENSION_ROUTES } from './extensions.ts';
import { HISTORY_ROUTES } from './history.ts';
import { HOLD_ROUTES } from './holds.ts';
import { LANGUAGE_ROUTES } from './language.ts';
import { NOTEBOOK_ROUTES } from './notebooks.ts';
import { PROMOTION_ROUTES } from './promotion.ts';
import { PUBLICATION_ROUTES } from './publications.ts';
import { REGISTRY_ROUTES } from './registry.ts';
import { SECRET_ROUTES } from './secrets.ts';
import { SERVER_WORKER_ROUTES } from './serverWorkers.ts';
import { SERVICE_ROUTES } from './service.ts';
import { SNIPPET_ROUTES } from './snippets.ts';
import { SSH_WORKER_ROUTES } from './sshWorkers.ts';
import { TABLE_CATALOG_ROUTES } from './tableCatalogs.ts';
import { TABLE_ROUTES } from './tables.ts';
import { TERMINAL_ROUTES } from './terminals.ts';
import { TRANSFER_ROUTES } from './transfer.ts';
import { VARIANT_ROUTES } from './variants.ts';
import { WORKER_ROUTES } from './workers.ts';

/** Every REST route of the program. */
export const ROUTES = {
  ...SERVICE_ROUTES,
  ...NOTEBOOK_ROUTES,
  ...TRANSFER_ROUTES,
  ...HOLD_ROUTES,
  ...CELL_ROUTES,
  ...VARIANT_ROUTES,
  ...SECRET_ROUTES,
  ...ENVIRONMENT_ROUTES,
  ...ENVIRONMENT_EXTENSION_ROUTES,
  ...AI_ROUTES,
  ...AGENT_ROUTES,
  ...SNIPPET_ROUTES,
  ...CONNECTION_ROUTES,
  ...EXTENSION_ROUTES,
  ...TABLE_ROUTES,
  ...TABLE_CATALOG_ROUTES,
  ...LANGUAGE_ROUTES,
  ...HISTORY_ROUTES,
  ...TERMINAL_ROUTES,
  ...WORKER_ROUTES,
  ...SSH_WORKER_ROUTES,
  ...BUILD_ROUTES,
  ...SERVER_WORKER_ROUTES,
  ...REGISTRY_ROUTES,
  ...PROMOTION_ROUTES,
  ...PUBLICATION_ROUTES,
  ...ARTIFACT_ROUTES,
  ...CATALOG_ROUTES,
  ...ARTIFACT_UPLOAD_ROUTES,
  ...DATA_PLANE_ROUTES,
  ...CACHE_ROUTES,
} as const satisfies Record<string, RouteContract>;
export type RouteName = keyof typeof ROUTES;
/** Routes whose requests are parsed by their contracts; the others read their streams themselves. */
export type ParsedRouteName = Exclude<
  RouteName,
  keyof typeof BUILD_ROUTES | keyof typeof ARTIFACT_UPLOAD_ROUTES
>;

/** A valid call of every route of the built server, in the order in which routes.test.ts makes them. */

import type { ParsedRouteName } from '../../src-shared/wire/routes/all.ts';
import type { OpenNotebook } from '../support/openNotebook.ts';
import { aiCalls } from './aiCalls.ts';
import { artifactCalls } from './artifactCalls.ts';
import { artifactMapCalls } from './artifactMapCalls.ts';
import { cellCalls } from './cellCalls.ts';
import { dataPlaneCalls } from './dataPlaneCalls.ts';
import { environmentCalls } from './environmentCalls.ts';
import { notebookCalls } from './notebookCalls.ts';
import type { Call } from './refusedCalls.ts';
import { anotherNotebook, type RouteWorld } from './routeWorld.ts';
import { workerCalls } from './workerCalls.ts';

/**
 * One call for every route except those of builds (buildRoutes.test.ts). Calls that end something get their own
 * notebook.
 */
export function goodCalls(
  at: () => RouteWorld,
): Readonly<Record<ParsedRouteName, () => Promise<Call> | Call>> {
  let withAssistant: Promise<OpenNotebook> | null = null;
  /** A call about a notebook whose assistant uses the fake provider. */
  const toAssistant = async (body: unknown): Promise<Call> => {
    withAssistant ??= anotherNotebook(at(), 'assistant');
    return { params: { sid: (await withAssistant).sid }, body };
  };
  return {
    health: () => ({}),
    ...artifactCalls(() => at().server),
    ...dataPlaneCalls(() => at().server),
    artifactCatalog: () => ({ query: { search: 'a', kept: 'nothing', limit: '5' } }),
    ...artifactMapCalls(() => at().server.url, versionIn),
    promoteArtifact: () => ({
      params: versionIn(at().frameUri),
      body: { name: 'team/frame', alias: 'next', tags: { stage: 'raw' } },
    }),
    previewPromotion: () => ({ params: versionIn(at().frameUri) }),
    ...notebookCalls(at),
    ...workerCalls(at),
    ...environmentCalls(at),
    aiStatus: () => ({}),
    aiModels: () => ({}),
    ...aiCalls(toAssistant),
    ...cellCalls(at),
  };
}

/** The parameters of a route, from an artifact's URI. */
function versionIn(uri: string): Readonly<Record<string, string>> {
  const [, id = '', version = ''] = /^svc:\/\/artifact\/(.+)@v=(\d+)$/.exec(uri) ?? [];
  return { artifact_id: id, version };
}

/**
 * A valid call of every route about the relations of a version (map, holds, comparison), for the tests of all routes.
 */

import type { ParsedRouteName } from '../../src-shared/wire/routes/all.ts';
import { rest } from '../support/rest.ts';
import type { Call } from './refusedCalls.ts';

type MapRoute = Extract<ParsedRouteName, 'artifactMap' | 'artifactHolds' | 'compareArtifacts'>;

/** @param versionIn reads the parameters from an artifact's URI */
export function artifactMapCalls(
  url: () => string,
  versionIn: (uri: string) => NonNullable<Call['params']>,
): Readonly<Record<MapRoute, () => Promise<Call>>> {
  /** Stores a value in the server's artifact store and returns the URI of its version. */
  const stored = async (value: number): Promise<string> => {
    const body = { inputs: [], transform: { executor: 'x@v1', params: { value } }, data: { value: [value] } };
    return (await rest<{ artifact_uri: string }>(url(), 'PUT', '/v1/artifacts', body)).body.artifact_uri;
  };
  return {
    artifactMap: async () => ({ params: versionIn(await stored(1)), query: { up: '3', down: '1' } }),
    artifactHolds: async () => ({ params: versionIn(await stored(1)) }),
    compareArtifacts: async () => ({ query: { before: await stored(1), after: await stored(2) } }),
  };
}

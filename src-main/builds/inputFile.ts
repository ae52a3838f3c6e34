import { BuildRefusal } from './buildRefusal.ts';
import type { KnownBuilds } from './knownBuilds.ts';
import { floatOf, type Query, textOf, wholeOf } from './signedUrls.ts';

/**
 * Answers the download route of signed builds: the file of an input, for the worker its URL was signed for.
 * @throws BuildRefusal
 */
export async function inputFileFor(builds: KnownBuilds, query: Query): Promise<string> {
  const ids = {
    artifact_id: textOf(query, 'artifact_id'),
    version: wholeOf(query, 'version'),
    build_id: textOf(query, 'build_id'),
    expires_at: floatOf(query, 'expires_at'),
  };
  const build = await builds.signed({ op: 'download', ...ids }, query);
  if (build.end !== null) {
    throw new BuildRefusal(409, 'The build has ended; its inputs are no longer available');
  }
  const input = build.inputs.find(
    ({ artifactId, version }) => artifactId === ids.artifact_id && version === ids.version,
  );
  if (input === undefined) throw new BuildRefusal(404, 'Artifact not found');
  return input.path;
}

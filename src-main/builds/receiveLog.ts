import type { LogAnswer } from '../../src-shared/wire/worker/build.ts';
import { BuildRefusal } from './buildRefusal.ts';
import type { KnownBuilds } from './knownBuilds.ts';
import { floatOf, type Query, wholeOf } from './signedUrls.ts';

/**
 * Answers the log route of signed builds: takes a chunk of the cell's console, and shows it in order while there is a
 * listener.
 * @throws BuildRefusal
 */
export async function receiveLog(
  builds: KnownBuilds,
  { buildId, query, body }: { readonly buildId: string; readonly query: Query; readonly body: Buffer },
): Promise<LogAnswer> {
  const payload = { op: 'log', build_id: buildId, expires_at: floatOf(query, 'expires_at') } as const;
  const seq = wholeOf(query, 'seq');
  const stream = query['stream'] === 'stderr' ? 'stderr' : 'stdout';
  const build = await builds.signed(payload, query).catch((error: unknown) => {
    if (error instanceof BuildRefusal && error.status === 404) return null;
    throw error;
  });
  if (build === null || build.end !== null || build.onConsole === null) return { delivered: false };
  for (const chunk of build.consoles[stream].take(seq, body)) build.onConsole(stream, chunk);
  return { delivered: true };
}

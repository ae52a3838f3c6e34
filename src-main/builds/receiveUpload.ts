import type { UploadAnswer } from '../../src-shared/wire/worker/build.ts';
import { BuildRefusal, LEASE_LOST } from './buildRefusal.ts';
import type { KnownBuilds } from './knownBuilds.ts';
import { type Incoming, receiveFile } from './receive.ts';
import { attemptName, failedWith, OUTPUT_FILE } from './servedBuild.ts';
import { floatOf, type Query, textOf, wholeOf } from './signedUrls.ts';

/**
 * Answers the upload route of signed builds: writes the output into the folder of its build, if the URL belongs to the
 * valid lease.
 * @throws BuildRefusal
 */
export async function receiveUpload(
  builds: KnownBuilds,
  query: Query,
  body: Incoming,
): Promise<UploadAnswer> {
  const attempt = query['attempt'] === undefined ? {} : { attempt: textOf(query, 'attempt') };
  const ids = {
    build_id: textOf(query, 'build_id'),
    max_bytes: wholeOf(query, 'max_bytes'),
    expires_at: floatOf(query, 'expires_at'),
    ...attempt,
  };
  const build = await builds.signed({ op: 'upload', ...ids }, query);
  const holds = (): void => {
    const isOver = build.end !== null || build.finalizing !== null;
    if (isOver || (attempt.attempt ?? '') !== attemptName(build)) throw new BuildRefusal(409, LEASE_LOST);
  };
  holds();
  const limits = { dir: build.dir, name: OUTPUT_FILE, maxBytes: ids.max_bytes, mayReplace: holds };
  // A client that retries has abandoned the previous upload; a hostile one must not fill the disk.
  build.receiving?.destroy();
  build.receiving = body.stream;
  try {
    const size = await receiveFile(body, limits).finally(() => {
      if (build.receiving === body.stream) build.receiving = null;
    });
    return { status: 'uploaded', build_id: build.buildId, byte_size: size };
  } catch (error) {
    // A retry would be too large again: it is known now that this cell has no result.
    if (error instanceof BuildRefusal && error.code === 'OUTPUT_TOO_LARGE') {
      await builds.end(build, failedWith(error.code, error.message));
    }
    throw error;
  }
}

import type { BuildErrorCode, FinalizeAnswer } from '../../src-shared/wire/worker/build.ts';
import { BlobProblem } from '../artifacts/blobStore.ts';
import type { BuildEnd } from './build.ts';
import type { BuildPlace, TakenOutput } from './buildPlace.ts';
import { BuildRefusal, LEASE_LOST, OutputProblem } from './buildRefusal.ts';
import { failedWith, finalizedAnswer, type ServedBuild } from './servedBuild.ts';

/**
 * Reads the complete output of a build, passes it to the build's creator, and ends it (docs/spec/signed-builds.md, 2 to
 * 4).
 * @throws BuildRefusal: with a code if the build has failed by it, 503 if the place is temporarily unavailable
 */
export async function publishOutput(
  build: ServedBuild,
  {
    place,
    maxOutputBytes,
    end,
  }: {
    readonly place: BuildPlace;
    readonly maxOutputBytes: number;
    /** Stored before it is reported. */
    readonly end: (how: BuildEnd) => Promise<void>;
  },
): Promise<FinalizeAnswer> {
  const failing = async (status: 400 | 413, code: BuildErrorCode, message: string): Promise<BuildRefusal> => {
    await end(failedWith(code, message));
    return new BuildRefusal(status, message, code);
  };
  const output = await takenFrom(place, build);
  if (output === null) {
    throw await failing(400, 'MISSING_OUTPUT_BLOB', 'No output was uploaded that could be published');
  }
  const { bytes, file } = output;
  if (file === null) {
    const message = `The output is ${bytes} bytes; at most ${maxOutputBytes} are taken`;
    throw await failing(413, 'OUTPUT_TOO_LARGE', message);
  }
  if (build.end !== null) throw new BuildRefusal(409, LEASE_LOST);
  try {
    await build.accept(file);
  } catch (error) {
    if (error instanceof OutputProblem) throw await failing(400, 'INVALID_NOTEBOOK_BUNDLE', error.message);
    await end(failedWith('BUILD_FAILED', error instanceof Error ? error.message : String(error)));
    throw error;
  }
  // Abandoned during the read: its creator does not accept it any more.
  if (build.end !== null) throw new BuildRefusal(409, LEASE_LOST);
  build.outputBytes = bytes;
  await end({ state: 'ready' });
  return finalizedAnswer(build);
}

/** A bucket that is unavailable now may be read later: the build continues. */
async function takenFrom(place: BuildPlace, build: ServedBuild): Promise<TakenOutput | null> {
  try {
    return await place.take(build);
  } catch (error) {
    if (error instanceof BlobProblem) throw new BuildRefusal(503, error.message);
    throw error;
  }
}

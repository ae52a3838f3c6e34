import { createReadStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeftBuild } from '../../../builds/build.ts';
import { type ReadBundle, readBundle } from '../../outputBundle/readBundle.ts';
import { forget, reattach } from '../call/reattach.ts';
import type { HadRun, RemoteRequest } from '../call/remoteRequest.ts';
import { keepLogs } from '../call/takeBundle.ts';
import { emptied, takeAnswer } from './takeAnswer.ts';

/** A worker that knows nothing of its run any more may have delivered it a moment ago, or be about to. */
const DELIVERY_MS = 3_000;

/**
 * What came of a run whose program ended: from the worker that still has it, or from here, where it delivers (or did)
 * by the addresses it was given. Whichever comes first. Both stay until it is let go.
 * @returns null where neither has it
 */
export async function leftResult(
  left: LeftBuild | null,
  { request, maxMemberBytes, run }: Parameters<typeof takeAnswer>[1],
): Promise<HadRun | null> {
  const asking = new AbortController();
  const signal = AbortSignal.any([run.signal, asking.signal]);
  const end = left?.end() ?? null;
  const here = left === null ? NEVER : left.ended.then((how) => ({ end: how }));
  const there =
    end === null
      ? reattach({ ...run, signal }).then((answer) => ({ answer }))
      : Promise.resolve({ answer: null });
  const letGo = async (): Promise<void> => {
    await Promise.all([forget(run), left?.release()]);
  };
  let had: HadRun | null = null;
  try {
    const first = end === null ? await Promise.race([here, there]) : { end };
    if ('answer' in first && first.answer !== null) {
      const { answer } = first;
      const { bundle, buildId } = await takeAnswer(async () => answer, { request, maxMemberBytes, run });
      had = { bundle, buildId, letGo };
      return had;
    }
    const last = 'end' in first ? first : await Promise.race([here, soon(left, run.signal)]);
    if (left === null || last === null || last.end.state === 'failed') return null;
    had = {
      bundle: await readHere(left.file, { request, maxMemberBytes }),
      ...{ buildId: run.buildId, letGo },
    };
    return had;
  } finally {
    there.catch(() => undefined);
    asking.abort(new Error('what it left is here'));
    if (had === null) await left?.release();
  }
}

const NEVER = new Promise<never>(() => undefined);

async function soon(left: LeftBuild | null, signal: AbortSignal): Promise<null> {
  return left === null ? null : delay(DELIVERY_MS, null, { ref: false, signal });
}

async function readHere(
  file: string,
  { request, maxMemberBytes }: { readonly request: RemoteRequest; readonly maxMemberBytes: number },
): Promise<ReadBundle> {
  await emptied(request.outputDir);
  const bundle = await readBundle(createReadStream(file), { dir: request.outputDir, maxMemberBytes });
  if (request.consoleLog !== undefined) keepLogs(bundle, request.consoleLog);
  return bundle;
}

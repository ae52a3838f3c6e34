import type { WorkerTrouble } from '../../../src-shared/wire/routes/workers.ts';
import type { ReportedWorker } from '../../../src-shared/wire/workers.ts';
import { networkWords, probeWorker } from './probeWorker.ts';
import { ask, IdleTimeout } from './request.ts';
import { workerUrls } from './workerUrls.ts';

export interface TriedWorker {
  readonly url: string;
  readonly token: string | null;
}

/** How a try went; `problem` says in words what to do. */
export interface WorkerTrial {
  readonly trouble: WorkerTrouble | null;
  readonly problem: string | null;
  readonly durationMs: number;
  readonly reported: ReportedWorker | null;
}

const TRY_MS = 8_000;
/** Names no run: asking for its end changes nothing and shows whether the token is taken. */
const NO_BUILD = 'notebook-000000000000';

/** Asks a worker how it is and whether it takes the token. Never throws; nothing runs there. */
export async function tryWorker({ url, token }: TriedWorker): Promise<WorkerTrial> {
  const from = performance.now();
  const told = (
    trouble: WorkerTrouble | null,
    problem: string | null,
    reported: ReportedWorker | null,
  ): WorkerTrial => ({
    ...{ trouble, problem, reported },
    durationMs: performance.now() - from,
  });
  const urls = workerUrls(url);
  const { health, error, reported } = await probeWorker(urls.health, { timeoutMs: TRY_MS });
  if (health === 'unknown') {
    const words =
      'The worker uses another version of the worker protocol. Update the worker or this program.';
    return told('wrong_version', words, reported);
  }
  if (health === 'warming') return told('unreachable', error, reported);
  if (health === 'unavailable') return unavailable(error ?? '', told);
  const refused = await whyNotAuthorized(urls.cancel(NO_BUILD), token);
  if (refused !== null) return told(refused.trouble, refused.words, reported);
  const most = reported?.max_concurrent ?? null;
  if (reported !== null && most !== null && (reported.active_executions ?? 0) >= most) {
    const words = `The worker runs ${reported.active_executions} of ${most} cells and accepts no more for now. Try again when one is done.`;
    return told('full', words, reported);
  }
  return told(null, null, reported);
}

function unavailable(
  error: string,
  told: (trouble: WorkerTrouble, problem: string, reported: null) => WorkerTrial,
): WorkerTrial {
  const isOther =
    /^(The health check did not|The worker reports the status|The health check returned status 4)/.test(
      error,
    );
  return isOther
    ? told(
        'not_a_worker',
        `The server at this address is not a worker: ${error} Check host, port and path.`,
        null,
      )
    : told('unreachable', `${error} Check that the worker is running and the address is correct.`, null);
}

async function whyNotAuthorized(
  cancelUrl: string,
  token: string | null,
): Promise<{ readonly trouble: WorkerTrouble; readonly words: string } | null> {
  try {
    const answer = await ask({
      method: 'POST',
      url: cancelUrl,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      idleMs: TRY_MS,
      signal: AbortSignal.timeout(TRY_MS),
    });
    answer.destroy();
    if (answer.statusCode !== 401 && answer.statusCode !== 403) return null;
    const words =
      token === null
        ? 'The worker requires a token. Enter the SVC_WORKER_TOKEN it was started with.'
        : 'The worker rejected the token. Enter the SVC_WORKER_TOKEN it was started with.';
    return { trouble: 'unauthorized', words };
  } catch (error) {
    const words = error instanceof IdleTimeout ? 'The worker stopped responding.' : networkWords(error);
    return { trouble: 'unreachable', words };
  }
}

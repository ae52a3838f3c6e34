import type { WorkerCheck, WorkerTrouble } from '../../../../src-shared/wire/routes/workers.ts';
import type { ReportedWorker } from '../../../../src-shared/wire/workers.ts';
import { networkWords, type Probe, type ProbeFailure, probeWorker } from '../call/probeWorker.ts';
import { ask, IdleTimeout } from '../call/request.ts';
import { workerUrls } from '../call/workerUrls.ts';

export interface TriedWorker {
  readonly url: string;
  readonly token: string | null;
  /** Runs a cell that does nothing there. @returns why it did not end well, in words; null: it did */
  readonly runCell: (language: 'python' | 'r') => Promise<string | null>;
}

/** How a try went; `problem` says in words what to do. */
export interface WorkerTrial {
  readonly trouble: WorkerTrouble | null;
  readonly problem: string | null;
  readonly durationMs: number;
  readonly reported: ReportedWorker | null;
  /** What was looked at, in order; the last one is what went wrong. */
  readonly checks: readonly WorkerCheck[];
}

interface Wrong {
  readonly trouble: WorkerTrouble;
  readonly words: string;
}

const TRY_MS = 8_000;
/** Names no run: asking for its end changes nothing and shows whether the token is taken. */
const NO_BUILD = 'notebook-000000000000';

/**
 * Goes the whole way of a cell: its address, an answer, the version of the protocol, the token, a free slot, and a cell
 * that does nothing. Ends with the first step that fails. Never throws for what the worker does.
 */
export async function tryWorker({ url, token, runCell }: TriedWorker): Promise<WorkerTrial> {
  const from = performance.now();
  const checks: WorkerCheck[] = [];
  let reported: ReportedWorker | null = null;
  let wrong: Wrong | null = null;
  const step = async (check: WorkerCheck['check'], look: () => Promise<Wrong | null>): Promise<void> => {
    if (wrong !== null) return;
    wrong = await look();
    checks.push({ check, ok: wrong === null });
  };
  await step('address', async () => whyNoAddress(url));
  let failure: ProbeFailure | null = null;
  await step('answer', async () => {
    const urls = workerUrls(url);
    const probe = await probeWorker(urls.health, { timeoutMs: TRY_MS });
    ({ failure, reported } = probe);
    return noWorker(probe);
  });
  await step('version', async () => (failure === 'other_protocol' ? OTHER_VERSION : null));
  await step('token', () => whyNotAuthorized(workerUrls(url).cancel(NO_BUILD), token));
  await step('slot', async () => whyFull(reported));
  await step('cell', async () => {
    const words = await runCell(languageOf(reported));
    return words === null ? null : { trouble: 'cell_failed', words };
  });
  // Closures assign it, which the compiler does not see.
  const found = wrong as Wrong | null;
  return {
    ...{ trouble: found?.trouble ?? null, problem: found?.words ?? null, reported, checks },
    durationMs: performance.now() - from,
  };
}

const OTHER_VERSION: Wrong = {
  trouble: 'wrong_version',
  words: 'The worker uses another version of the worker protocol. Update the worker or this program.',
};

/** A cell is posted to the address as it is written, so that one without a path leads nowhere. */
function whyNoAddress(url: string): Wrong | null {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/health\/?$/, '').replace(/\/+$/, '');
  if (base !== '' && base === pathname.replace(/\/+$/, '')) return null;
  const words = `A worker does not accept cells at ${url}. Use ${origin}${base}/v1/execute.`;
  return { trouble: 'bad_address', words };
}

function languageOf(reported: ReportedWorker | null): 'python' | 'r' {
  const languages = reported?.languages ?? ['python'];
  return !languages.includes('python') && languages.includes('r') ? 'r' : 'python';
}

function whyFull(reported: ReportedWorker | null): Wrong | null {
  const { max_concurrent: most, active_executions: active, gpu_slots: gpus } = reported ?? {};
  if (gpus != null && reported?.free_gpu_slots === 0) {
    return { trouble: 'full', words: `All ${gpus} GPU slots of the worker are in use. ${NEW_WAIT}` };
  }
  // What a worker counts as active may be an upload, which takes no slot: one that tells its free slots is believed.
  const free = reported?.free_slots ?? (most == null || active === undefined ? 1 : most - active);
  if (free > 0) return null;
  const words = most == null ? 'The worker has no free slot.' : `The worker runs ${most} of ${most} cells.`;
  return { trouble: 'full', words: `${words} ${NEW_WAIT}` };
}

const NEW_WAIT = 'New cells wait until one of them ends.';

/** Why nothing was found that answers as a worker; null where one was, whatever it takes. */
function noWorker({ failure, error }: Probe): Wrong | null {
  switch (failure) {
    case null:
    case 'other_protocol':
      return null;
    case 'silent':
      return { trouble: 'unreachable', words: error ?? '' };
    case 'not_ready':
      return { trouble: 'unreachable', words: `${error} Wait until it is ready, then test it again.` };
    case 'foreign':
      return {
        trouble: 'not_a_worker',
        words: `The server at this address is not a worker: ${error} Check host, port and path.`,
      };
    case 'broken':
    case 'network':
      return {
        trouble: 'unreachable',
        words: `${error} Check that the worker is running and the address is correct.`,
      };
  }
}

async function whyNotAuthorized(cancelUrl: string, token: string | null): Promise<Wrong | null> {
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

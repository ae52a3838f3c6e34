/** Tests a worker step by step for the Workers panel, and says what to do about the first problem. */

import type { WorkerCheck, WorkerTrouble } from '../../../../src-shared/wire/routes/workers.ts';
import type { ReportedWorker } from '../../../../src-shared/wire/workers.ts';
import { IdleTimeout, sendHttpRequest } from '../../../lib/http/request.ts';
import { networkMessage, type Probe, type ProbeFailure, probeWorker } from '../call/probeWorker.ts';
import { workerUrls } from '../call/workerUrls.ts';

interface TriedWorker {
  readonly url: string;
  readonly token: string | null;
  /** Runs an empty cell on the worker. @returns the reason why it failed, for users; null when it succeeded */
  readonly runCell: (language: 'python' | 'r') => Promise<string | null>;
}

/** The result of a test; `problem` tells users what to do. */
export interface WorkerTrial {
  readonly trouble: WorkerTrouble | null;
  readonly problem: string | null;
  readonly durationMs: number;
  readonly reported: ReportedWorker | null;
  /** The checks that were made, in order; the last one failed when there is a problem. */
  readonly checks: readonly WorkerCheck[];
}

interface Problem {
  readonly trouble: WorkerTrouble;
  readonly message: string;
}

const TRY_MS = 8_000;
/** A build id that no run has: a request to cancel it changes nothing and shows whether the token is accepted. */
const NO_BUILD = 'notebook-000000000000';

/**
 * Checks all that a cell needs: the URL, an answer, the protocol version, the token, a free slot, and running an empty
 * cell. Ends with the first check that fails. Never throws for what the worker does.
 */
export async function tryWorker({ url, token, runCell }: TriedWorker): Promise<WorkerTrial> {
  const from = performance.now();
  const checks: WorkerCheck[] = [];
  let reported: ReportedWorker | null = null;
  let problem: Problem | null = null;
  const step = async (check: WorkerCheck['check'], action: () => Promise<Problem | null>): Promise<void> => {
    if (problem !== null) return;
    problem = await action();
    checks.push({ check, ok: problem === null });
  };
  await step('address', async () => urlProblem(url));
  let failure: ProbeFailure | null = null;
  await step('answer', async () => {
    const urls = workerUrls(url);
    const probe = await probeWorker(urls.health, { timeoutMs: TRY_MS });
    ({ failure, reported } = probe);
    return unreachableProblem(probe);
  });
  await step('version', async () => (failure === 'other_protocol' ? OTHER_VERSION : null));
  await step('token', () => tokenProblem(workerUrls(url).cancel(NO_BUILD), token));
  await step('slot', async () => slotProblem(reported));
  await step('cell', async () => {
    const message = await runCell(languageOf(reported));
    return message === null ? null : { trouble: 'cell_failed', message };
  });
  // Assigned in closures, which the compiler does not see.
  const result = problem as Problem | null;
  return {
    trouble: result?.trouble ?? null,
    problem: result?.message ?? null,
    reported,
    checks,
    durationMs: performance.now() - from,
  };
}

const OTHER_VERSION: Problem = {
  trouble: 'wrong_version',
  message: 'The worker uses another version of the worker protocol. Update the worker or this program.',
};

/** What is wrong with a URL; cells are posted to it unchanged, so one without a path does not work. */
function urlProblem(url: string): Problem | null {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/health\/?$/, '').replace(/\/+$/, '');
  if (base !== '' && base === pathname.replace(/\/+$/, '')) return null;
  const message = `A worker does not accept cells at ${url}. Use ${origin}${base}/v1/execute.`;
  return { trouble: 'bad_address', message };
}

function languageOf(reported: ReportedWorker | null): 'python' | 'r' {
  const languages = reported?.languages ?? ['python'];
  return !languages.includes('python') && languages.includes('r') ? 'r' : 'python';
}

function slotProblem(reported: ReportedWorker | null): Problem | null {
  const { max_concurrent: most, active_executions: active, gpu_slots: gpus } = reported ?? {};
  if (gpus != null && reported?.free_gpu_slots === 0) {
    return { trouble: 'full', message: `All ${gpus} GPU slots of the worker are in use. ${NEW_WAIT}` };
  }
  // Cells that a worker counts as active may be uploads, which take no slot, so the reported free slots count first.
  const free = reported?.free_slots ?? (most == null || active === undefined ? 1 : most - active);
  if (free > 0) return null;
  const message = most == null ? 'The worker has no free slot.' : `The worker runs ${most} of ${most} cells.`;
  return { trouble: 'full', message: `${message} ${NEW_WAIT}` };
}

const NEW_WAIT = 'New cells wait until one of them ends.';

/** The problem when the server does not answer as a worker; null when it does, even with another protocol. */
function unreachableProblem({ failure, error }: Probe): Problem | null {
  switch (failure) {
    case null:
    case 'other_protocol':
      return null;
    case 'silent':
      return { trouble: 'unreachable', message: error ?? '' };
    case 'not_ready':
      return { trouble: 'unreachable', message: `${error} Wait until it is ready, then test it again.` };
    case 'foreign':
      return {
        trouble: 'not_a_worker',
        message: `The server at this address is not a worker: ${error} Check host, port and path.`,
      };
    case 'broken':
    case 'network':
      return {
        trouble: 'unreachable',
        message: `${error} Check that the worker is running and the address is correct.`,
      };
  }
}

async function tokenProblem(cancelUrl: string, token: string | null): Promise<Problem | null> {
  try {
    const answer = await sendHttpRequest({
      method: 'POST',
      url: cancelUrl,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      idleMs: TRY_MS,
      signal: AbortSignal.timeout(TRY_MS),
    });
    answer.destroy();
    if (answer.statusCode !== 401 && answer.statusCode !== 403) return null;
    const message =
      token === null
        ? 'The worker requires a token. Enter the SVC_WORKER_TOKEN it was started with.'
        : 'The worker rejected the token. Enter the SVC_WORKER_TOKEN it was started with.';
    return { trouble: 'unauthorized', message };
  } catch (error) {
    const message = error instanceof IdleTimeout ? 'The worker stopped responding.' : networkMessage(error);
    return { trouble: 'unreachable', message };
  }
}

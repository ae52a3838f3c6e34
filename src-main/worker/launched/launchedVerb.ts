/**
 * The command `svc-worker launched`, which manages a worker that was started over SSH, on its machine
 * (docs/spec/remote-execution.md, 9).
 */

import { errnoOf } from '../../lib/atomicFile.ts';
import { endWorker } from './endWorker.ts';
import { keepWorker } from './keepWorker.ts';
import { LAUNCHED_NAME, launchedPaths } from './record.ts';
import { type LaunchAnswer, logTail, startWorker } from './startWorker.ts';

const MAX_LOG_CHARS = 64 * 1024;

/**
 * Performs `svc-worker launched start|keep|stop|log NAME …`: runs on the remote machine, from the worker's own program
 * file, and prints one line of JSON.
 * @param program the worker's program file
 * @returns the exit code; 2 for invalid arguments
 */
export async function launchedVerb(args: readonly string[], program: string): Promise<number> {
  const [verb = '', name = '', first = '', second = ''] = args;
  if (!LAUNCHED_NAME.test(name)) return 2;
  const paths = await launchedPaths(name);
  // The end of the ssh session must not end the worker, which decides itself when to stop.
  process.on('SIGHUP', () => undefined);
  process.stdout.on('error', () => undefined);
  switch (verb) {
    case 'start': {
      const [launchId = '', token = ''] = (await textOf(process.stdin)).split('\n');
      const [port, graceMs] = [Number(first), Number(second)];
      const answer = await startWorker(paths, { name, program, port, graceMs, launchId, token }).catch(
        failureAnswer,
      );
      say(answer);
      return answer.ok ? 0 : 1;
    }
    case 'keep':
      return keepWorker(paths, {
        launchId: first,
        graceMs: Number(second),
        from: process.stdin,
        say: (line) => process.stdout.write(`${line}\n`),
      });
    case 'stop':
      say({ ok: true, stopped: await endWorker(paths) });
      return 0;
    case 'log':
      say({ ok: true, text: await logTail(paths, MAX_LOG_CHARS) });
      return 0;
    default:
      return 2;
  }
}

/**
 * The answer for an error. Without disk space for the log there is none for cells either, so that is reported as the
 * reason.
 */
function failureAnswer(error: unknown): LaunchAnswer {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, trouble: errnoOf(error) === 'ENOSPC' ? 'disk_full' : 'worker_ended', said: message };
}

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece.toString();
  return text;
}

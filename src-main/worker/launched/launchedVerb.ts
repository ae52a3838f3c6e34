import { errnoOf } from '../../lib/atomicFile.ts';
import { endWorker } from './endWorker.ts';
import { keepWorker } from './keepWorker.ts';
import { LAUNCHED_NAME, launchedPaths } from './record.ts';
import { type LaunchAnswer, saidLast, startWorker } from './startWorker.ts';

const MOST_LOG = 64 * 1024;

/**
 * `svc-worker launched start|keep|stop|log NAME …`: what is done on the machine of a worker that is started by ssh
 * (remote-execution 9), by the worker's own file. It answers one line of JSON.
 * @param program the file of the worker
 * @returns the exit code; 2 for arguments that are none
 */
export async function launchedVerb(args: readonly string[], program: string): Promise<number> {
  const [verb = '', name = '', first = '', second = ''] = args;
  if (!LAUNCHED_NAME.test(name)) return 2;
  const paths = await launchedPaths(name);
  // A session that ends takes nothing down: whoever is started here decides itself.
  process.on('SIGHUP', () => undefined);
  process.stdout.on('error', () => undefined);
  switch (verb) {
    case 'start': {
      const [launchId = '', token = ''] = (await textOf(process.stdin)).split('\n');
      const [port, graceMs] = [Number(first), Number(second)];
      const answer = await startWorker(paths, { name, program, port, graceMs, launchId, token }).catch(
        refused,
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
      say({ ok: true, text: await saidLast(paths, MOST_LOG) });
      return 0;
    default:
      return 2;
  }
}

/** The disk that has no room for a log has none for a cell either. */
function refused(error: unknown): LaunchAnswer {
  const said = error instanceof Error ? error.message : String(error);
  return { ok: false, trouble: errnoOf(error) === 'ENOSPC' ? 'disk_full' : 'worker_ended', said };
}

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece.toString();
  return text;
}

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '../../observe/log.ts';
import { createWorkerApp, type WorkerApp, type WorkerOptions } from '../createWorkerApp.ts';
import { workerSettings } from '../settings.ts';

/** A worker in this process for tests, on a free port, with `env` as its environment variables. */
export async function startTestWorker(
  env: Readonly<Record<string, string>> = {},
  more: Partial<WorkerOptions> = {},
): Promise<WorkerApp & { readonly url: string }> {
  const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
  const settings = workerSettings({ SVC_WORKER_PYTHON: python, ...env });
  const app = await createWorkerApp({
    settings,
    harnessDir: join(dirname(fileURLToPath(import.meta.url)), '../../../harness'),
    log: createLogger({ level: 'CRITICAL', format: 'text' }),
    poolSize: 0,
    ...more,
  });
  const port = await app.listen({ host: '127.0.0.1', port: 0 });
  return { ...app, url: `http://127.0.0.1:${port}` };
}

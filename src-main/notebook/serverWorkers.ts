import type { ServerWorker } from './workers.ts';
import { whyNoWorkers } from './workers.ts';

/**
 * Reads the workers in a server's configuration for every notebook (`notebook_workers` of SVC_TRANSFORMS_CONFIG;
 * docs/spec/remote-execution.md, 7). The transport is not validated.
 * @returns a message about the first invalid entry
 */
export function readServerWorkers(value: unknown): readonly ServerWorker[] | { readonly problem: string } {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return { problem: 'notebook_workers is not a list.' };
  const workers: ServerWorker[] = [];
  for (const [at, entry] of value.entries()) {
    const worker = readOne(entry);
    if (worker === null)
      return { problem: `notebook_workers[${at}] is not a worker: it needs at least a name.` };
    workers.push(worker);
  }
  const unchecked = workers.map(({ config: { transport: _, ...config }, ...worker }) => ({
    ...worker,
    config,
  }));
  const problem = whyNoWorkers(unchecked);
  return problem === null ? workers : { problem: `notebook_workers: ${problem}` };
}

function readOne(entry: unknown): ServerWorker | null {
  if (!isRecord(entry)) return null;
  const { name, backend = 'local', runtime_id = null, config = {}, enabled = true } = entry;
  const isWorker =
    typeof name === 'string' &&
    (backend === 'local' || backend === 'executor') &&
    (runtime_id === null || typeof runtime_id === 'string') &&
    isRecord(config) &&
    typeof enabled === 'boolean';
  return isWorker ? { name, backend, runtime_id, config, enabled } : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

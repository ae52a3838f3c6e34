/**
 * The commands `svc worker ls`, `default`, `add` and `rm`: list and edit the workers in the notebook.toml of a folder.
 */

import { resolve } from 'node:path';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { NotebookFileError } from '../../notebook/toml/notebookFileError.ts';
import { LOCAL_WORKER, transportOf, WORKER_NAME, whyNoWorkers, workerUrl } from '../../notebook/workers.ts';
import { defineCommand, formatOf, JSON_FORMAT, UsageError } from '../arguments.ts';

/** A change of a notebook's workers: the fields to write, or the problem. */
type Change = (now: Now) => { readonly problem: string } | Partial<Now>;

interface Now {
  readonly workers: readonly Worker[];
  readonly worker: string | null;
}

const FORMAT = { format: JSON_FORMAT } as const;

/**
 * `svc worker ls DIR`. These four commands read and edit a notebook’s file without a server
 * (docs/spec/remote-execution.md, 11).
 */
export const workerList = defineCommand({
  usage: 'DIR',
  options: FORMAT,
  async run({ values, positionals }) {
    const [dir] = named(positionals, ['DIR']);
    return onFile(dir, formatOf(values.format ?? 'json'), () => ({}));
  },
});

/** `svc worker add DIR NAME --url URL`. */
export const workerAdd = defineCommand({
  usage: 'DIR NAME --url URL',
  options: {
    ...FORMAT,
    url: { type: 'string', takes: 'URL', says: 'URL of the worker.' },
    transport: {
      type: 'string',
      takes: 'direct|signed',
      says: 'Whether cells are sent to the worker (direct) or the worker fetches them.',
    },
    'runtime-id': {
      type: 'string',
      takes: 'TEXT',
      says: 'Tag that separates results of this worker from others.',
    },
    'token-env': { type: 'string', takes: 'NAME', says: 'The variable that contains its token.' },
    default: { type: 'boolean', says: 'Make it the default worker.' },
  },
  async run({ values, positionals }) {
    const [dir, name] = named(positionals, ['DIR', 'NAME']);
    const { url, transport = 'direct', 'token-env': tokenEnv } = values;
    if (url === undefined) throw new UsageError('svc worker add requires --url');
    const config = { url, transport, ...(tokenEnv === undefined ? {} : { token_env: tokenEnv }) };
    const worker: Worker = { name, backend: 'executor', runtime_id: values['runtime-id'] ?? null, config };
    return onFile(dir, formatOf(values.format ?? 'json'), ({ workers }) => {
      const all = [...workers.filter((one) => one.name !== name), worker];
      const problem = whyNoWorkers(all);
      if (problem !== null) return { problem };
      return { workers: all, ...(values.default === true ? { worker: name } : {}) };
    });
  },
});

/** `svc worker rm DIR NAME`. */
export const workerRemove = defineCommand({
  usage: 'DIR NAME',
  options: FORMAT,
  async run({ values, positionals }) {
    const [dir, name] = named(positionals, ['DIR', 'NAME']);
    return onFile(dir, formatOf(values.format ?? 'json'), ({ workers, worker }) => {
      const rest = workers.filter((one) => one.name !== name);
      if (rest.length === workers.length) return { problem: `The notebook defines no worker '${name}'.` };
      // An undefined default worker would block every cell.
      return { workers: rest, ...(worker === name ? { worker: null } : {}) };
    });
  },
});

/** `svc worker default DIR [NAME|local]`. */
export const workerDefault = defineCommand({
  usage: 'DIR [NAME|local]',
  options: FORMAT,
  async run({ values, positionals }) {
    const [dir, name = LOCAL_WORKER, ...more] = positionals;
    if (dir === undefined || more.length > 0)
      throw new UsageError('svc worker default takes DIR [NAME|local]');
    if (!WORKER_NAME.test(name)) throw new UsageError(`'${name}' is not a valid worker name`);
    return onFile(dir, formatOf(values.format ?? 'json'), () => ({
      worker: name === LOCAL_WORKER ? null : name,
    }));
  },
});

function named<const N extends readonly string[]>(positionals: readonly string[], names: N) {
  if (positionals.length !== names.length) throw new UsageError(`svc worker takes ${names.join(' ')} here`);
  return positionals as unknown as { readonly [K in keyof N]: string }; // counted above
}

async function onFile(folder: string, format: 'human' | 'json', change: Change): Promise<number> {
  // Not for help and wrong usage [AR-63].
  const { openNotebookFiles } = await import('../../notebook/notebookFiles.ts');
  const { acquireWriter } = await import('../../notebook/writerLock.ts');
  const dir = notebookFolder(resolve(folder));
  const writer = await acquireWriter(dir);
  if (writer.kind === 'busy') {
    return failed(`Process ${writer.pid} has this notebook open. Close it there first.`);
  }
  try {
    const files = await openNotebookFiles(dir);
    try {
      const update = change(files.file());
      if ('problem' in update) return failed(update.problem ?? '');
      if (Object.keys(update).length > 0) await files.configure(null, update);
      const answer = listOf(files.file());
      process.stdout.write(format === 'json' ? `${JSON.stringify(answer, null, 2)}\n` : human(answer));
      return 0;
    } finally {
      await files.close();
    }
  } catch (error) {
    if (error instanceof NotebookFileError) return failed(error.message);
    throw error;
  } finally {
    await writer.release();
  }
}

function failed(error: string): number {
  process.stdout.write(`${JSON.stringify({ error })}\n`);
  return 1;
}

function listOf({ workers, worker }: Now) {
  const defaultWorker = worker ?? LOCAL_WORKER;
  return {
    default: defaultWorker,
    editable: true,
    workers: workers.map((one) => ({
      name: one.name,
      backend: one.backend,
      transport: one.backend === 'local' ? 'local' : transportOf(one),
      url: workerUrl(one),
      runtime_id: one.runtime_id,
      token_env: typeof one.config['token_env'] === 'string' ? one.config['token_env'] : null,
      is_default: one.name === defaultWorker,
    })),
  };
}

function human({ default: defaultName, workers }: ReturnType<typeof listOf>): string {
  const lines = workers.map(({ name, transport, url }) => `  ${name}  ${transport}  ${url ?? ''}`.trimEnd());
  return `${[`default: ${defaultName}`, ...lines].join('\n')}\n`;
}

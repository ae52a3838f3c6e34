/** Checks and prepares the external data of one notebook (mounts, fetched files, tables, datasets) for its cells. */

import type { FetchAnnotation } from '../../src-shared/notebook/annotation.ts';
import { ownPath } from '../notebook/folder/ownPlaces.ts';
import type { CheckPurpose, DataAccess, DataUse, PreparedData } from './dataAccess.ts';
import type { DataFact, DataItem } from './dataItem.ts';
import type { AddressRules } from './fetch/addressRules.ts';
import { createFetcher, type FetchResult } from './fetch/fetcher.ts';
import { createMounts, type MountsOptions, type ReadyMount, writeAllBack } from './mounts.ts';
import {
  type DatasetRegistry,
  type DatasetVersion,
  NO_CATALOGS,
  NO_REGISTRY,
  type TableCatalogs,
} from './registry.ts';

interface NotebookDataOptions extends MountsOptions {
  readonly fetchRules: AddressRules;
  readonly registry?: DatasetRegistry;
  readonly catalogs?: TableCatalogs;
  readonly now?: () => number;
  /** SVC_NOTEBOOK_REMOTE_STATUS_SECONDS in ms: the minimum interval between two requests to a registry for a status. */
  readonly statusMs?: number;
}

type CheckedData = Omit<DataFact, 'key' | 'checkedAtMs'>;

/** The default of `statusMs` (docs/spec/analysis-and-graph.md, 3.6). */
const STATUS_MS = 60_000;

/**
 * The types that a Python cell gets as a value; all others it gets as a path (docs/spec/analysis-and-graph.md, 3.6).
 */
const VALUES: ReadonlySet<string> = new Set(['arrow/ipc', 'json/object', 'pickle/object']);

/** The external data of one notebook, from its real sources. */
export function createNotebookData(options: NotebookDataOptions): DataAccess {
  const { notebookDir, fetchRules, registry = NO_REGISTRY, catalogs = NO_CATALOGS } = options;
  const { now = Date.now, statusMs = STATUS_MS } = options;
  const mounts = createMounts(options);
  const fetcher = createFetcher({ folder: ownPath(notebookDir, 'fetch'), rules: fetchRules, now });

  /** The last reply of the registry or a catalog: a status requests it once in `statusMs` at most. */
  const replies = new Map<string, { readonly atMs: number; readonly result: CheckedData }>();
  const askSeldom = async (
    key: string,
    purpose: CheckPurpose,
    signal: AbortSignal,
    ask: () => Promise<CheckedData>,
  ): Promise<CheckedData> => {
    const before = replies.get(key);
    if (purpose !== 'run' && before !== undefined && now() - before.atMs < statusMs) return before.result;
    const result = await ask();
    if (!signal.aborted) replies.set(key, { atMs: now(), result });
    return result;
  };

  async function checkItem(
    item: DataItem,
    { purpose, signal }: { readonly purpose: CheckPurpose; readonly signal: AbortSignal },
  ): Promise<CheckedData> {
    switch (item.kind) {
      case 'mount':
        return mounts.look(item.mount, item.key, signal);
      case 'fetch': {
        if (purpose === 'run') return checkedOf(await fetcher.bring(item.fetch, signal));
        const { sha256, problem } = await fetcher.status(item.fetch, signal);
        return { token: sha256, problem };
      }
      case 'dataset':
        return askSeldom(item.key, purpose, signal, async () => {
          const result = await registry.resolve(item.reference, signal);
          return result.kind === 'problem'
            ? { token: null, problem: result.problem }
            : { token: versionText(result.dataset), problem: null };
        });
      case 'table':
        return askSeldom(item.key, purpose, signal, async () => {
          const result = await catalogs.currentSnapshot(item.table.uri, signal);
          if (result.kind === 'problem') return { token: null, problem: result.problem };
          return { token: result.kind === 'empty' ? null : result.id, problem: null };
        });
      default:
        return item satisfies never;
    }
  }

  async function fetched(use: DataUse, fetch: FetchAnnotation, signal: AbortSignal): Promise<FetchResult> {
    if (fetch.sha256 !== null) return fetcher.bring(fetch, signal);
    const token = use.fact?.token ?? null;
    if (token !== null) return fetcher.keep(fetch, token, signal);
    return { kind: 'problem', problem: use.fact?.problem ?? 'It was not fetched.' };
  }

  async function prepare(
    uses: readonly DataUse[],
    { scratchDir, signal }: { readonly scratchDir: string; readonly signal: AbortSignal },
  ): Promise<PreparedData> {
    const outside: Outside = { mounts: {}, tables: {}, inputs: {}, versions: {}, params: {} };
    const written: { readonly name: string; readonly ready: ReadyMount }[] = [];
    for (const use of uses) {
      const { item, fact } = use;
      const { name } = item;
      switch (item.kind) {
        case 'mount': {
          const { key, mount } = item;
          const token = item.fixed === null ? (fact?.token ?? null) : null;
          if (item.fixed === null && token === null)
            return failed(use, fact?.problem ?? 'It was not checked.');
          const ready = await mounts.ready(mount, { key, token, scratchDir, signal });
          if ('problem' in ready) return failed(use, ready.problem);
          outside.mounts[name] = { uri: mount.uri, mode: mount.mode, local_path: ready.path };
          written.push({ name, ready });
          break;
        }
        case 'fetch': {
          const copy = await fetched(use, item.fetch, signal);
          if (copy.kind === 'problem') return failed(use, copy.problem, copy.errorCode);
          const { url } = item.fetch;
          outside.mounts[name] = { uri: url, mode: 'ro', local_path: copy.path };
          outside.versions[url] = `sha256:${copy.sha256}`;
          if (copy.fetchedAt !== null) outside.params['fetched_at'] = copy.fetchedAt;
          break;
        }
        case 'dataset': {
          const result = await registry.resolve(item.reference, signal);
          if (result.kind === 'problem') return failed(use, result.problem);
          const { contentType, file } = result.dataset;
          if (versionText(result.dataset) !== fact?.token) {
            return failed(use, fact?.problem ?? 'It changed just before the cell ran. Run the cell again.');
          }
          if (VALUES.has(contentType)) outside.inputs[name] = { content_type: contentType, file };
          else outside.mounts[name] = { uri: item.reference, mode: 'ro', local_path: file };
          outside.versions[`svc://name/${item.reference}`] = versionText(result.dataset);
          break;
        }
        case 'table': {
          if (Object.hasOwn(outside.tables, name)) return failed(use, 'Two @table lines use the same name.');
          const id = item.fixed ?? fact?.token ?? null;
          if (id === null && fact?.problem != null) return failed(use, fact.problem);
          outside.tables[name] = { uri: item.table.uri, snapshot_id: snapshotOf(id) };
          break;
        }
        default:
          item satisfies never;
      }
    }
    return { kind: 'ready', ...outside, writeBack: (writing) => writeAllBack(written, writing) };
  }

  return {
    check: (items, details) =>
      Promise.all(
        items.map(async (item): Promise<DataFact> => {
          const checkedAtMs = now();
          return { key: item.key, ...(await checkItem(item, details)), checkedAtMs };
        }),
      ),
    prepare,
  };
}

type Ready = Extract<PreparedData, { kind: 'ready' }>;

/** The prepared data of a cell, collected item by item. */
interface Outside {
  readonly mounts: Ready['mounts'];
  readonly tables: Ready['tables'];
  readonly inputs: Record<string, { readonly content_type: string; readonly file: string }>;
  readonly versions: Record<string, string>;
  readonly params: Record<string, string>;
}

function checkedOf(fetched: FetchResult): CheckedData {
  if (fetched.kind === 'file') return { token: fetched.sha256, problem: null };
  const { problem, errorCode } = fetched;
  return { token: null, problem, ...(errorCode === undefined ? {} : { errorCode }) };
}

function versionText({ id, version }: DatasetVersion): string {
  return `${id}@v=${version}`;
}

/** A snapshot id as a number if it is exactly representable; else its digits. */
function snapshotOf(id: string | null): number | string | null {
  if (id === null) return null;
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}

const KIND_NAMES = { mount: 'mount', fetch: '@fetch', dataset: '@dataset', table: '@table' } as const;

function failed({ item }: DataUse, problem: string, code?: 'fetch_pin_mismatch'): PreparedData {
  return {
    kind: 'failed',
    message: `The ${KIND_NAMES[item.kind]} \`${item.name}\` cannot be used. ${problem}`,
    ...(code === undefined ? {} : { errorCode: code }),
  };
}

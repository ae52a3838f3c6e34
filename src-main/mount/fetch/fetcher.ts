/** Provides the files of `@fetch` lines to cells: downloads, pins and reuses them. */

import { readdir, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { FetchAnnotation } from '../../../src-shared/notebook/annotation.ts';
import type { AddressRules } from './addressRules.ts';
import { type DownloadResult, download, sweepParts } from './download.ts';
import { createFetchIndex, type FetchEntry } from './fetchIndex.ts';
import { FetchProblem, openUrl, problemOf, shownUrl } from './openUrl.ts';

const GIB = 2 ** 30;

interface FetcherOptions {
  /** The folder `.svc/fetch` of the notebook. */
  readonly folder: string;
  readonly rules: AddressRules;
  readonly now: () => number;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
}

export type FetchResult =
  | {
      readonly kind: 'file';
      readonly sha256: string;
      readonly path: string;
      readonly fetchedAt: string | null;
    }
  | { readonly kind: 'problem'; readonly problem: string; readonly errorCode?: 'fetch_pin_mismatch' };

/** The status of a URL: its digest, or that it changed or was never fetched. */
interface FetchStatus {
  readonly sha256: string | null;
  readonly problem: string | null;
}

/** The files of one notebook's @fetch lines, stored by content (docs/spec/analysis-and-graph.md, 3.6). */
interface Fetcher {
  /** Provides the file for a run: requests it as the line requires, and downloads new content. */
  bring(fetch: FetchAnnotation, signal: AbortSignal): Promise<FetchResult>;
  /**
   * Provides the file that is in a run's key. If it was removed, it is downloaded again, and must have the same
   * content.
   */
  keep(fetch: FetchAnnotation, sha256: string, signal: AbortSignal): Promise<FetchResult>;
  /** The status of a URL: makes never the first request, never reads a body, and makes at most one request a minute. */
  status(fetch: FetchAnnotation, signal: AbortSignal): Promise<FetchStatus>;
}

/** Minimum interval between two requests for a status. */
const STATUS_MS = 60_000;

export function createFetcher(options: FetcherOptions): Fetcher {
  const { folder, rules, now } = options;
  const { maxBytes = 2 * GIB, timeoutMs = 60_000 } = options;
  const index = createFetchIndex(folder);
  const underWay = new Map<string, Promise<unknown>>();
  /** Removes leftovers of a killed process: this process is the folder's only writer. */
  let swept: Promise<void> | null = null;

  /** Makes one request per URL at a time: the second caller uses the result of the first. */
  async function inTurn<T>(url: string, work: () => Promise<T>): Promise<T> {
    const before = underWay.get(url) ?? Promise.resolve();
    const result = before.then(work, work);
    const quiet = result.catch(() => undefined);
    underWay.set(url, quiet);
    try {
      return await result;
    } finally {
      if (underWay.get(url) === quiet) underWay.delete(url);
    }
  }

  async function withTimeout<T>(
    url: string,
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const limited = AbortSignal.any([signal, timeout]);
    try {
      return await work(limited);
    } catch (error) {
      if (signal.aborted) throw new FetchProblem('It was cancelled.');
      if (timeout.aborted) {
        throw new FetchProblem(`${shownUrl(url)} took longer than ${timeoutMs / 1000} s.`);
      }
      throw problemOf(url, error);
    }
  }

  async function cached(entry: FetchEntry | null): Promise<Extract<FetchResult, { kind: 'file' }> | null> {
    if (entry === null) return null;
    const path = join(folder, entry.sha256, entry.filename);
    return (await isFile(path))
      ? { kind: 'file', sha256: entry.sha256, path, fetchedAt: entry.fetched_at }
      : null;
  }

  /** A file of that content, from any URL and under any name. */
  async function pinned(
    sha256: string,
    filename: string,
  ): Promise<Extract<FetchResult, { kind: 'file' }> | null> {
    const names: readonly string[] = await readdir(join(folder, sha256)).catch(() => []);
    const name = names.includes(filename) ? filename : names[0];
    if (name === undefined) return null;
    return { kind: 'file', sha256, path: join(folder, sha256, name), fetchedAt: null };
  }

  async function get(
    fetch: FetchAnnotation,
    record: FetchEntry | null,
    expects: { readonly pin: string | null; readonly signal: AbortSignal },
  ): Promise<FetchResult> {
    const { url } = fetch;
    return withTimeout(url, expects.signal, async (signal) => {
      const response = await openUrl(url, {
        rules,
        headers: record === null ? {} : validatorsOf(record),
        signal,
      });
      const at = new Date(now()).toISOString();
      if (response.statusCode === 304 && record !== null) {
        response.destroy();
        await index.set(url, { ...record, checked_at: at });
        const file = await cached(record);
        if (file !== null) return file;
        throw new FetchProblem(`${shownUrl(url)} is unchanged, but its copy is gone. Run the cell again.`);
      }
      refuseStatus(url, response);
      swept ??= sweepParts(folder);
      await swept;
      const filename = fileNameOf(url);
      const downloaded: DownloadResult = await download(response, {
        folder,
        filename,
        maxBytes,
        signal,
        pin: expects.pin,
      });
      if (downloaded.kind === 'mismatch') {
        return {
          kind: 'problem',
          errorCode: 'fetch_pin_mismatch',
          problem: `${shownUrl(url)} does not match its pin: its sha256 is ${downloaded.sha256}, but the line has ${expects.pin}.`,
        };
      }
      const { sha256 } = downloaded;
      const { etag = null, 'last-modified': lastModified = null } = response.headers;
      await index.set(url, {
        sha256,
        filename,
        checked_at: at,
        fetched_at: at,
        etag,
        last_modified: lastModified,
      });
      return { kind: 'file', sha256, path: join(folder, sha256, filename), fetchedAt: at };
    });
  }

  const answering = async (work: () => Promise<FetchResult>): Promise<FetchResult> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FetchProblem) return { kind: 'problem', problem: error.message };
      if (error instanceof Error && 'syscall' in error) {
        return { kind: 'problem', problem: `Couldn’t store the download: ${error.message}` };
      }
      throw error;
    }
  };

  return {
    bring: (fetch, signal) =>
      inTurn(fetch.url, () =>
        answering(async () => {
          const { url, sha256: pin, refetch } = fetch;
          if (pin !== null) {
            return (await pinned(pin, fileNameOf(url))) ?? get(fetch, null, { pin, signal });
          }
          const entry = await index.get(url);
          const file = await cached(entry);
          if (refetch === 'never' && file !== null) return file;
          const previous = refetch === 'stale' && file !== null ? entry : null;
          return get(fetch, previous, { pin: null, signal });
        }),
      ),
    keep: (fetch, sha256, signal) =>
      inTurn(fetch.url, () =>
        answering(async () => {
          const file = await pinned(sha256, fileNameOf(fetch.url));
          if (file !== null) return { ...file, fetchedAt: (await index.get(fetch.url))?.fetched_at ?? null };
          const again = await get(fetch, null, { pin: sha256, signal });
          if (again.kind === 'file' || fetch.sha256 !== null) return again;
          return {
            kind: 'problem',
            problem: `${shownUrl(fetch.url)} changed while the cell was about to run. Run it again.`,
          };
        }),
      ),
    status: (fetch, signal) =>
      inTurn(fetch.url, async () => {
        const { url, refetch } = fetch;
        const entry = await index.get(url);
        if (entry === null || (await cached(entry)) === null) return { sha256: null, problem: null };
        const fresh: FetchStatus = { sha256: entry.sha256, problem: null };
        const isDue = now() - Date.parse(entry.checked_at) >= STATUS_MS;
        const validators = validatorsOf(entry);
        if (refetch !== 'stale' || !isDue || Object.keys(validators).length === 0) return fresh;
        try {
          const response = await withTimeout(url, signal, (limited) =>
            openUrl(url, { rules, headers: validators, signal: limited }),
          );
          response.destroy();
          if (response.statusCode !== 304 && response.statusCode !== 200) return fresh;
          await index.set(url, { ...entry, checked_at: new Date(now()).toISOString() });
          return response.statusCode === 304 ? fresh : { sha256: null, problem: null };
        } catch (error) {
          if (!(error instanceof FetchProblem)) throw error;
          // No run needs it now: the stored file is used until one does.
          return fresh;
        }
      }),
  };
}

function validatorsOf({ etag, last_modified }: FetchEntry): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(last_modified === null ? {} : { 'if-modified-since': last_modified }),
  };
}

function refuseStatus(url: string, response: IncomingMessage): void {
  const { statusCode = 0 } = response;
  if (statusCode === 200 || statusCode === 203) return;
  response.destroy();
  const reasons: Readonly<Record<number, string>> = {
    401: 'a login is required (401)',
    403: 'access is denied (403)',
    404: 'not found (404)',
    410: 'no longer available (410)',
    429: 'too many requests (429)',
  };
  const why = reasons[statusCode] ?? `the server answered ${statusCode}`;
  throw new FetchProblem(`${shownUrl(url)} could not be fetched: ${why}.`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
const UNSAFE = /[/\\:*?"<>|\u0000-\u001f]/g;

/** The last part of the URL's path, as a valid file name on any system. */
export function fileNameOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const last =
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch (_notEncoded) {
    // Keep the name as written.
  }
  const clean = name.replace(UNSAFE, '_').replace(/^\.+/, '').slice(-120);
  return clean === '' ? 'download' : clean;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (match) => match.isFile(),
    () => false,
  );
}

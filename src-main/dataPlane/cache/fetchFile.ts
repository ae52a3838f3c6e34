/** Fetches the row groups of data files that a scan needs and the cache lacks, once for all scans. */

import { withinDeadline } from '../../iceberg/deadline.ts';
import { changedFileError } from '../../iceberg/read/readFailure.ts';
import { type RowGroup, readRowGroups, rowGroupMayMatch } from '../../iceberg/read/rowGroups.ts';
import { ScanSession } from '../../iceberg/read/scanSession.ts';
import { cacheKey } from './cacheKey.ts';
import { schemaHash } from './entryLayout.ts';
import { EntryQueue } from './entryQueue.ts';
import { fetchGroups, type Missing } from './fetchGroups.ts';
import { ChangedEntry } from './openEntry.ts';
import type { Claim, HeldEntry } from './rowGroupCache.ts';
import type { FetcherOptions, FileRequest, RowGroupFetcher } from './rowGroupFetcher.ts';
import { entrySchema, unitsOf } from './units.ts';

/** How many entries are checked at once: each check opens two files. */
const MAX_CONCURRENT_CHECKS = 64;
/** How often a file is fetched again because entries were gone or damaged as soon as they were written. */
const MAX_REPEATS = 2;

export function createFetcher(options: FetcherOptions): RowGroupFetcher {
  const { cache, footers, granularity, workers, timeoutSeconds } = options;

  const rowGroupsOf = async ({ plan, task, files, signal }: FileRequest): Promise<readonly RowGroup[]> => {
    const knownGroups = await footers.find(task.file.path);
    if (knownGroups !== null && rowsOf(knownGroups) === task.file.recordCount) return knownGroups;
    const local = await files.local(task.file.path, signal);
    const session = await ScanSession.open();
    try {
      const mapping = plan.table.nameMapping;
      const groups = await readRowGroups(local.path, {
        session,
        location: task.file.path,
        mapping,
        signal,
      });
      // The path may have had another file before: stored footers outlive it.
      const rows = rowsOf(groups);
      if (rows !== task.file.recordCount) throw changedFileError(task.file, rows);
      await footers.store(task.file.path, groups);
      return groups;
    } finally {
      session.close();
      await local.release();
    }
  };

  /** Holds existing entries, waits for those that others fetch, and fetches the rest. */
  const fill = async (request: FileRequest, queue: EntryQueue): Promise<void> => {
    const { plan, task, owner, signal } = request;
    const all = await rowGroupsOf(request);
    const rows = all.map((group) => group.rows);
    const rowGroups = all
      .flatMap((group, at) => (rowGroupMayMatch(group, request.predicates ?? []) ? [at] : []))
      .slice(0, request.groups);
    queue.expect(rowGroups);
    const put = (outcome: 'hit' | 'miss', group: number, entry: HeldEntry): void => {
      cache.metrics.record(owner.identity, outcome, entry.meta.size_bytes);
      queue.put(group, entry);
    };
    let pending = unitsOf({ plan, task, rowGroups }, owner, granularity).map((unit) => ({
      group: unit.rowGroup,
      key: cacheKey(unit),
    }));
    const schema = schemaHash(entrySchema(plan));
    let timesAgain = 0;
    while (pending.length > 0) {
      signal.throwIfAborted();
      const { entries, claims } = await holdOrClaim(pending, owner.tenant, schema);
      const absent = pending.filter(({ group }) => !entries.has(group));
      for (const [group, entry] of entries) put('hit', group, entry);
      const mine = new Map(
        claims.flatMap(({ group, key, claim }) =>
          claim.kind === 'mine' ? [[group, { group, key, settle: claim.settle }] as const] : [],
        ),
      );
      const theirs = claims.flatMap(({ claim }) => (claim.kind === 'theirs' ? [claim.over] : []));
      const fetched = new Set<number>();
      try {
        if (mine.size > 0) {
          await fetch(request, rows, {
            missing: [...mine.values()],
            onEntry(group, entry) {
              fetched.add(group);
              put('miss', group, entry);
              mine.get(group)?.settle();
            },
          });
        }
      } catch (error) {
        // Keep the entries that were written, and look for the others again.
        timesAgain += 1;
        if (!(error instanceof ChangedEntry) || timesAgain > MAX_REPEATS) throw error;
      } finally {
        for (const { settle } of mine.values()) settle();
      }
      await unlessAborted(Promise.all(theirs), signal);
      pending = absent.filter(({ group }) => !fetched.has(group));
    }
  };

  /** Holds the existing entries of this schema, and claims the others. */
  const holdOrClaim = async (units: readonly Missing[], tenant: string, schema: string) => {
    const entries = new Map<number, HeldEntry>();
    const claims: (Missing & { readonly claim: Claim })[] = [];
    const holdOrClaimOne = async (unit: Missing): Promise<void> => {
      const entry = await cache.hold(unit.key, tenant);
      if (entry?.layout.schema === schema) {
        entries.set(unit.group, entry);
        return;
      }
      entry?.release();
      // There must be no await between the check and the claim.
      claims.push({ ...unit, claim: cache.claim(unit.key) });
    };
    let failed: PromiseRejectedResult | undefined;
    for (let at = 0; at < units.length && failed === undefined; at += MAX_CONCURRENT_CHECKS) {
      const results = await Promise.allSettled(
        units.slice(at, at + MAX_CONCURRENT_CHECKS).map(holdOrClaimOne),
      );
      failed = results.find((result) => result.status === 'rejected');
    }
    if (failed === undefined) {
      claims.sort((a, b) => a.group - b.group);
      return { entries, claims };
    }
    for (const entry of entries.values()) entry.release();
    for (const { claim } of claims) if (claim.kind === 'mine') claim.settle();
    throw failed.reason;
  };

  const fetch = async (
    request: FileRequest,
    rows: readonly number[],
    work: Pick<Parameters<typeof fetchGroups>[1], 'missing' | 'onEntry'>,
  ): Promise<void> => {
    const endTurn = await workers.take('', request.signal);
    try {
      const limit = { milliseconds: timeoutSeconds * 1000, signal: request.signal };
      await withinDeadline((signal) => fetchGroups({ ...request, signal }, { options, rows, ...work }), {
        ...limit,
        what: `Fetching ${request.task.file.path}`,
      });
    } finally {
      endTurn();
    }
  };

  const start = (request: FileRequest) => {
    const queue = new EntryQueue();
    const done = fill(request, queue).catch((error: unknown) => queue.fail(error));
    return { queue, done };
  };

  return {
    start,
    async entriesOf(request) {
      const { queue, done } = start(request);
      const entries: HeldEntry[] = [];
      try {
        for (;;) {
          const entry = await queue.take(entries.length);
          if (entry === null) break;
          entries.push(entry);
        }
        // The fetch closes its files before the caller closes the table.
        await done;
        queue.throwIfFailed();
        return entries;
      } catch (error) {
        for (const entry of entries) entry.release();
        throw error;
      } finally {
        queue.close();
      }
    },
  };
}

function rowsOf(groups: readonly RowGroup[]): bigint {
  return groups.reduce((sum, { rows }) => sum + BigInt(rows), 0n);
}

/** Waits, unless the signal is aborted first. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  aborted.catch(() => undefined);
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

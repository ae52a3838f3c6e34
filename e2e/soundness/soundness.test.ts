/**
 * Compares notebooks on the built server (rows/) with what a plain interpreter prints for the same sources and files.
 */

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type PlainInterpreter, startPlainInterpreter } from './plain/plainInterpreter.ts';
import type { Verdict } from './play/judge.ts';
import { playRow, type RowResult } from './play/playRow.ts';
import { makeSlot } from './play/slot.ts';
import { EVERY_ROW } from './rows/everyRow.ts';
import { OPEN } from './rows/open.ts';
import type { Allowed, Row } from './rows/row.ts';

/**
 * A normal run plays some of the rows, and LONG=1 all. `SOUNDNESS_ROW=kind/name` plays one row, `SOUNDNESS_LIST=1`
 * lists every row, `SOUNDNESS_STRICT=1` also judges those of `rows/open.ts`.
 */

const LONG = process.env['LONG'] === '1';
const STRICT = LONG || process.env['SOUNDNESS_STRICT'] === '1';
/** Prints a line for every row. */
const LISTED = process.env['SOUNDNESS_LIST'] === '1';
const ONLY = process.env['SOUNDNESS_ROW'] ?? '';
const SLOTS = availableParallelism() + 1;
const PRELOADED = ['numpy', 'pandas', 'json', 'asyncio', 'sqlite3', 'matplotlib'];

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly row: Row;
  readonly open: string | null;
}

/** Matches cells that load a slow module or start processes. */
const HEAVY =
  /\b(pandas|polars|sklearn|matplotlib|pyarrow|scipy|joblib|multiprocessing|ProcessPoolExecutor)\b/;
/** A normal run plays one in 32 heavy rows, always the same ones. */
const HEAVY_ONE_IN = 32;
/** A normal run plays one in 16 other rows. */
const LIGHT_ONE_IN = 16;
/** A normal run plays at least this many rows of each kind. */
const MIN_OF_KIND = 2;

const everyEntry: readonly Entry[] = EVERY_ROW.flatMap(({ kind, rows }) =>
  rows.map((row) => ({
    id: `${kind}/${row.name}`,
    kind,
    row,
    open: OPEN[kind]?.[row.name] ?? null,
  })),
).filter(({ id }) => id.startsWith(ONLY));
const entries = STRICT || ONLY !== '' ? everyEntry : EVERY_ROW.flatMap(({ kind }) => sampleOf(kind));

/** The sampled rows of a kind; if they are too few, also the next rows by `turnOf`. */
function sampleOf(kind: string): readonly Entry[] {
  const ofKind = everyEntry.filter((entry) => entry.kind === kind);
  const ordered = ofKind.toSorted((one, other) => turnOf(one) - turnOf(other));
  const count = ofKind.filter((entry) => turnOf(entry) === 0).length;
  return ordered.slice(0, Math.max(count, MIN_OF_KIND));
}

/** 0 if the row is in the sample, 1 if it is in a sample twice as large, 2 otherwise. */
function turnOf({ id, row }: Entry): number {
  const oneIn = row.cells.some((text) => HEAVY.test(text)) ? HEAVY_ONE_IN : LIGHT_ONE_IN;
  const sum = [...id].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  if (sum % oneIn === 0) return 0;
  return sum % (oneIn / 2) === 0 ? 1 : 2;
}

const played = new Map<string, RowResult | Error>();
const why = new Map<string, string>(missingModules());
let root = '';
let server: ServerProcess;
let plain: PlainInterpreter;

function missingModules(): readonly [string, string][] {
  const wanted = [...new Set(entries.flatMap(({ row }) => row.needs ?? []))];
  const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
  return wanted
    .filter((name) => spawnSync(python, ['-c', `import ${name}`]).status !== 0)
    .map((name) => [name, `the tests' Python has no ${name}`]);
}

function skipped({ row, open }: Entry): string | null {
  if (open !== null && !STRICT && ONLY === '') return `open: ${open}`;
  return row.needs === undefined ? null : (why.get(row.needs) ?? null);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-soundness-'));
  server = await startServerProcess({ grants: [root] });
  plain = startPlainInterpreter(PRELOADED);
  const waiting = entries.filter((entry) => skipped(entry) === null);
  const work = async (at: number): Promise<void> => {
    const slot = await makeSlot(() => server.url, join(root, `slot${at}`));
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const got = await playRow(slot, plain, entry.row).catch((error: Error) => error);
      played.set(entry.id, got);
      if (LISTED) process.stdout.write(`${lineOf(entry)}\n`);
    }
  };
  await Promise.all(Array.from({ length: SLOTS }, (_, at) => work(at)));
}, 1_200_000);

afterAll(async () => {
  process.stdout.write(`${table()}\n`);
  await plain.close();
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const VERDICTS: readonly (Verdict | 'broken')[] = [
  'same',
  'differs with a message',
  'refused with a message',
  'SILENTLY DIFFERENT',
  'broken',
];

function table(): string {
  const verdictOf = (id: string) => {
    const got = played.get(id);
    return got instanceof Error ? 'broken' : got?.verdict;
  };
  const count = (of: readonly Entry[]) =>
    VERDICTS.map((verdict) => of.filter(({ id }) => verdictOf(id) === verdict).length);
  const open = (of: readonly Entry[]) => of.filter((entry) => entry.open !== null).length;
  const line = (name: string, of: readonly Entry[]) =>
    [
      name.padEnd(14),
      ...[of.length, ...count(of), open(of)].map((figure) => String(figure).padStart(8)),
    ].join('');
  const head = ['', 'rows', 'same', 'differs', 'refused', 'SILENT', 'broken', 'open'];
  return [
    'Soundness: the outcome of each row at its worst step',
    head.map((name, at) => (at === 0 ? name.padEnd(14) : name.padStart(8))).join(''),
    ...EVERY_ROW.map(({ kind }) =>
      line(
        kind,
        entries.filter((entry) => entry.kind === kind),
      ),
    ),
    line('all', entries),
    `${entries.length} of ${everyEntry.length} rows; LONG=1 plays all`,
  ].join('\n');
}

function lineOf({ id, row }: Entry): string {
  const got = played.get(id);
  if (got === undefined || got instanceof Error) return `${id}: BROKEN ${got?.message}`;
  if (got.verdict === 'same') return `${id}: same`;
  const messages = got.messages.length === 0 ? '' : ` | messages: ${got.messages.join(' / ').slice(0, 300)}`;
  return `${id}: ${got.verdict} (${row.allow ?? 'same'}) at ${got.at}: ${got.detail}${messages}`;
}

const ACCEPTED: Readonly<Record<Allowed, readonly Verdict[]>> = {
  same: ['same'],
  message: ['same', 'differs with a message', 'refused with a message'],
  refused: ['same', 'refused with a message'],
};

function judgeEntry({ id, row, open }: Entry): void {
  const got = played.get(id);
  if (got === undefined) throw new Error(`${id} was not run`);
  const passes = !(got instanceof Error) && ACCEPTED[row.allow ?? 'same'].includes(got.verdict);
  if (open !== null) {
    if (STRICT) expect(passes, `${id} passes now: take it from rows/open.ts`).toBe(false);
    return;
  }
  if (got instanceof Error) throw got;
  expect(passes, `${got.verdict} at ${got.at}: ${got.detail}\nmessages: ${got.messages.join('\n')}`).toBe(
    true,
  );
}

describe('[SO-250] a notebook shows what a plain interpreter prints, or reports the difference', () => {
  it('has rows whose names are unique', () => {
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });
  for (const entry of entries) {
    const reason = skipped(entry);
    it(`${entry.id}${reason === null ? '' : ` (skipped: ${reason})`}`, (context) => {
      if (reason !== null) return context.skip(reason);
      judgeEntry(entry);
    });
  }
});

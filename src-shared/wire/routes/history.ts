/** Contracts of the routes about earlier texts of cells, drafts, and the record of what can be undone. */

import * as z from 'zod';
import { language } from '../cell.ts';
import { storedTestDraft } from '../cellTests.ts';
import { sourceDraft, storedSourceDraft } from '../sourceDraft.ts';
import { undoDelta, undoStack } from '../undo.ts';
import type { RouteContract } from './contract.ts';
import { cellParams, MAX_SOURCE_CHARACTERS, sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}/x';
const CELL = `${SESSION}/cells/{cell_id}`;

/** One previous text of a cell. `deleted`: the last one before the cell was deleted. */
const cellVersion = z.object({
  version: z.string(),
  /** ISO UTC. */
  at: z.string(),
  why: z.enum(['edit', 'outside', 'deleted']),
  author: z.string().nullable(),
  lines: z.number().int(),
  /** Whether it is the cell's current text. */
  current: z.boolean(),
});
export type CellVersionView = z.infer<typeof cellVersion>;

/** The part of a cell: its text, its tests, or its own settings in notebook.toml. */
export const historyPart = z.enum(['source', 'tests', 'settings']);
export type HistoryPart = z.infer<typeof historyPart>;
const ofPart = z.object({ of: historyPart.default('source') });

/** A cell with a history. `title` is the first line of its newest stored text. */
const historyCell = z.object({
  cell_id: z.string(),
  title: z.string(),
  /** ISO UTC, of the newest version. */
  at: z.string(),
  /** False for a deleted cell. */
  present: z.boolean(),
});

/** Null: the folder is in no Git repository, it has no commit, or Git is missing. */
const sinceCommit = z.object({
  commit: z.object({ hash: z.string(), subject: z.string(), /** ISO 8601. */ at: z.string() }).nullable(),
  changes: z.array(
    z.object({
      /** Relative to the notebook's folder. */
      path: z.string(),
      /** Null: the commit does not have the file. */
      before: z.string().nullable(),
      /** Null: the file was deleted. */
      after: z.string().nullable(),
    }),
  ),
  truncated: z.boolean(),
});
export type SinceCommitView = z.infer<typeof sinceCommit>;

/** A change of one cell's text, for the timeline of the notebook. */
const timelineChange = z.object({
  /** ISO UTC. */
  at: z.string(),
  cell_id: z.string(),
  title: z.string(),
  why: z.enum(['edit', 'outside', 'deleted']),
  author: z.string().nullable(),
  present: z.boolean(),
});
export type TimelineChange = z.infer<typeof timelineChange>;

/** A cell that differs from what it was. `past` null: not in the notebook; `now` null: not any more. */
const cellThen = z.object({
  cell_id: z.string(),
  title: z.string(),
  past: z.string().nullable(),
  now: z.string().nullable(),
});
export type CellThenView = z.infer<typeof cellThen>;

/** Previous states of the notebook (docs/extensions.md). */
export const HISTORY_ROUTES = {
  cellHistory: {
    method: 'GET',
    path: `${CELL}/history`,
    summary: 'The versions of a cell’s text of the last thirty days, newest first; also for a deleted cell',
    scope: 'notebook:read',
    params: cellParams,
    query: ofPart,
    /**
     * `problem`: a message about parts that could not be read or stored; `now`: the current text, null
     * without a cell; `language`: that of the cell or deleted cell, null if no record of it is left.
     */
    response: z.object({
      cell_id: z.string(),
      language: language.nullable(),
      now: z.string().nullable(),
      versions: z.array(cellVersion),
      problem: z.string().nullable(),
    }),
    errors: [404],
  },
  cellVersion: {
    method: 'GET',
    path: `${CELL}/history/{version}`,
    summary: 'One version of a cell’s text',
    scope: 'notebook:read',
    params: cellParams.extend({ version: z.string().max(64) }),
    query: ofPart,
    response: z.object({ cell_id: z.string(), version: z.string(), at: z.string(), source: z.string() }),
    errors: [404],
  },
  setCellSettings: {
    method: 'PUT',
    path: `${CELL}/settings`,
    summary: 'Replace a cell’s own worker, timeout, env and mounts, as TOML; a blank secret keeps its value',
    scope: 'notebook:write',
    params: cellParams,
    body: z.object({ settings: z.string().max(100_000) }),
    response: z.object({ cell_id: z.string(), settings: z.string() }),
    errors: [400, 404, 409, 422],
  },
  notebookHistory: {
    method: 'GET',
    path: `${SESSION}/history`,
    summary: 'The cells with stored versions, including deleted ones, the last changed first',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ cells: z.array(historyCell) }),
    errors: [404],
  },
  notebookTimeline: {
    method: 'GET',
    path: `${SESSION}/history/timeline`,
    summary: 'The latest changes of all cells’ texts, newest first, at most 500',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ changes: z.array(timelineChange) }),
    errors: [404],
  },
  notebookThen: {
    method: 'GET',
    path: `${SESSION}/history/state`,
    summary: 'The cells whose text was different at a moment, with the text of then and of now',
    scope: 'notebook:read',
    params: sessionParams,
    query: z.object({ at: z.iso.datetime() }),
    response: z.object({ at: z.string(), cells: z.array(cellThen) }),
    errors: [404, 422],
  },
  notebookUndo: {
    method: 'GET',
    path: `${SESSION}/undo`,
    summary: 'The actions in the notebook that can be undone or redone, in all of its windows',
    scope: 'notebook:read',
    params: sessionParams,
    /**
     * `problem`: a message that a damaged record was set aside. `forgotten`: how many entries its limits have removed.
     */
    response: undoStack.extend({ forgotten: z.int(), problem: z.string().nullable() }),
    errors: [404],
  },
  keepUndo: {
    method: 'PUT',
    path: `${SESSION}/undo`,
    summary: 'Add a window’s actions and undos to the notebook’s undo record',
    scope: 'notebook:write',
    params: sessionParams,
    body: undoDelta,
    response: z.object({ kept: z.number().int() }),
    errors: [404, 409, 422],
  },
  testDrafts: {
    method: 'GET',
    path: `${SESSION}/drafts`,
    summary: 'Unsaved text of test files that were also changed elsewhere',
    scope: 'notebook:read',
    params: sessionParams,
    /** `problem`: a message that a damaged record was set aside. */
    response: z.object({ drafts: z.array(storedTestDraft), problem: z.string().nullable() }),
    errors: [404],
  },
  keepTestDraft: {
    method: 'PUT',
    path: `${CELL}/tests/draft`,
    summary: 'Store text typed into a test file that cannot be saved yet; null removes it',
    scope: 'notebook:write',
    params: cellParams,
    body: z.object({
      draft: z
        .object({
          text: z.string().max(MAX_SOURCE_CHARACTERS),
          base: z.string().max(MAX_SOURCE_CHARACTERS),
        })
        .nullable(),
    }),
    response: z.object({ cell_id: z.string(), kept: z.boolean() }),
    errors: [404, 409, 422],
  },
  sinceCommit: {
    method: 'GET',
    path: `${SESSION}/since-commit`,
    summary:
      "What changed in cells, settings and packages since the last commit of the folder's Git repository",
    scope: 'notebook:read',
    params: sessionParams,
    response: sinceCommit,
    errors: [403, 404],
  },
  sourceDrafts: {
    method: 'GET',
    path: `${SESSION}/drafts/sources`,
    summary: 'Unsaved text of cells that were also changed elsewhere, or is too long',
    scope: 'notebook:read',
    params: sessionParams,
    /** `problem`: a message that a damaged record was set aside. */
    response: z.object({ drafts: z.array(storedSourceDraft), problem: z.string().nullable() }),
    errors: [404],
  },
  keepSourceDraft: {
    method: 'PUT',
    path: `${CELL}/draft`,
    summary: 'Store text typed into a cell that cannot be saved yet; null removes it',
    scope: 'notebook:write',
    params: cellParams,
    body: z.object({ window: z.string().max(64), draft: sourceDraft.nullable() }),
    response: z.object({ cell_id: z.string(), kept: z.boolean() }),
    errors: [404, 409, 422],
  },
} as const satisfies Record<string, RouteContract>;

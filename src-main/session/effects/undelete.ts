/** Records cells before they are deleted, and restores deleted cells with their results. */

import * as z from 'zod';
import type { CellId, SessionId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { forgetDeletedCell, loadDeletedCell, saveDeletedCell } from '../../notebook/deletedCellFile.ts';
import type { DeletedCell } from '../../notebook/edits/restoreDeletedCell.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import { cellRuntime, consoleFile } from '../../notebook/stored/runtimeState.ts';
import { newCell, textsOf } from '../keys/newCell.ts';
import { cellRuntimeOf } from '../keys/runtimeRecord.ts';
import { NO_CONSOLE, storedByCell, storedCell } from '../keys/storedCell.ts';
import type { PrepareAnalysis, ReducerTools } from '../state/events.ts';
import type { CellState } from '../state/state.ts';

/** The record of a deleted cell's last run, besides its results, which stay in the store. */
const keptRun = z.object({
  runtime: cellRuntime,
  console: consoleFile,
  /** `ready` without anything stored is valid only within one session. */
  sessionId: z.string(),
  readyProvenance: z.string().nullable(),
});

/** Records a cell before it is deleted. */
export async function recordDeletedCell(
  dir: NotebookFolder,
  deletion: {
    readonly cell: DeletedCell;
    readonly last: CellState | undefined;
    readonly sessionId: SessionId;
  },
): Promise<void> {
  const { cell, last, sessionId } = deletion;
  const runtime: z.infer<typeof keptRun> | null =
    last === undefined
      ? null
      : {
          runtime: cellRuntimeOf(last),
          console: last.console,
          sessionId,
          readyProvenance: last.readyProvenance,
        };
  await saveDeletedCell(dir, { cell, runtime });
}

/**
 * Restores a deleted cell: files, position, and the results that are still in the store. @throws AppError
 * not_found when no record exists, conflict when its id or one of its files is in use
 */
export async function restoreDeleted(
  files: NotebookFiles,
  options: {
    readonly cellId: CellId;
    readonly tools: ReducerTools;
    readonly learn: PrepareAnalysis;
    readonly store: ArtifactStore;
    readonly sessionId: SessionId;
  },
): Promise<CellState> {
  const { cellId, tools, learn, store, sessionId } = options;
  if (files.sources().has(cellId)) {
    throw new AppError('conflict', `Cell ${cellId} is not deleted, so there is nothing to restore.`, {
      cell_id: cellId,
    });
  }
  const record = await loadDeletedCell(files.dir, cellId, keptRun.nullable());
  if (record === null) {
    throw new AppError('not_found', `Cell not found: there is no deleted cell ${cellId}.`, {
      cell_id: cellId,
    });
  }
  const entry = await files.restoreCell(record.cell);
  await learn(textsOf([entry], files.sources()));
  const { notebookId, cells } = files.file();
  const artifacts = storedByCell(store, {
    notebook: notebookId,
    cellIds: new Set(cells.map(({ id }) => id)),
  });
  const run = record.runtime;
  const cell = await storedCell(store, {
    cell: newCell(entry, { text: files.sources().get(entry.id), analyze: tools.analyze }),
    artifacts: artifacts.get(entry.id) ?? {},
    runtime: run?.runtime,
    console: run?.console ?? NO_CONSOLE,
  });
  await forgetDeletedCell(files.dir, cellId);
  return run?.sessionId === sessionId ? { ...cell, readyProvenance: run.readyProvenance } : cell;
}

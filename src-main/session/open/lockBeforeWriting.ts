/**
 * Wraps the stores of an untrusted notebook so that its folder is locked and written only once the user makes a change.
 */

import type { CellHistory } from '../../notebook/history/cellHistory.ts';
import { isEmptyDelta, type UndoRecord } from '../../notebook/history/undoStack.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import type { NotebookDrafts, StoredDrafts } from '../../notebook/stored/storedDrafts.ts';
import type { WriterClaim } from './writerClaim.ts';

/**
 * The stores of a session of an untrusted folder: nothing is written until the user makes a change, and
 * existing content of `.svc` is not treated as the user's own.
 */
interface UnlockedStores {
  readonly files: NotebookFiles;
  readonly history: CellHistory;
  readonly undoRecord: UndoRecord;
  readonly drafts: NotebookDrafts;
}

const HISTORY_WAITS =
  'The history that came with this folder is shown once you trust the folder. Your own changes are recorded.';

/** Wraps the stores so that each takes the folder's lock before its first write. */
export function lockBeforeWriting(claim: WriterClaim, parts: UnlockedStores): UnlockedStores {
  return {
    files: filesAfter(claim, parts.files),
    history: historyAfter(claim, parts.history),
    undoRecord: undoAfter(claim, parts.undoRecord),
    drafts: {
      tests: draftsAfter(claim, parts.drafts.tests),
      sources: draftsAfter(claim, parts.drafts.sources),
    },
  };
}

/** All edits of the user pass through these. */
function filesAfter(claim: WriterClaim, files: NotebookFiles): NotebookFiles {
  const first =
    <A extends readonly unknown[], R>(edit: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await claim.take();
      return edit(...args);
    };
  return {
    dir: files.dir,
    file: () => files.file(),
    sources: () => files.sources(),
    addCell: first((cell) => files.addCell(cell)),
    deleteCell: first((id, options) => files.deleteCell(id, options)),
    restoreCell: first((deleted) => files.restoreCell(deleted)),
    reorder: first((ids) => files.reorder(ids)),
    rename: first((name) => files.rename(name)),
    chooseVariant: first((edit) => files.chooseVariant(edit)),
    writeSource: first((id, source, options) => files.writeSource(id, source, options)),
    writeTests: first((id, source, base) => files.writeTests(id, source, base)),
    configure: first((id, settings) => files.configure(id, settings)),
    setEnv: first((variables) => files.setEnv(variables)),
    setConnections: first((list) => files.setConnections(list)),
    fill: (fetched) => files.fill(fetched),
    reload: () => files.reload(),
    follow: (names) => files.follow(names),
    changedOutside: (ids) => files.changedOutside(ids),
    close: () => files.close(),
  };
}

/** A change by another program is not a change of the user: only what follows an edit is noted. */
function historyAfter(claim: WriterClaim, history: CellHistory): CellHistory {
  return {
    note: (id, text, part) => (claim.isTaken() ? history.note(id, text, part) : undefined),
    list: async (id, part) =>
      claim.isTaken() ? history.list(id, part) : { versions: [], problem: HISTORY_WAITS },
    read: async (id, version, part) => (claim.isTaken() ? history.read(id, version, part) : null),
    cells: async () => (claim.isTaken() ? history.cells() : []),
    flush: () => history.flush(),
  };
}

function undoAfter(claim: WriterClaim, record: UndoRecord): UndoRecord {
  return {
    load: async () =>
      claim.isTaken() ? record.load() : { stack: { done: [], undone: [] }, forgotten: 0, problem: null },
    async keep(delta) {
      // A window reports its stack after every opening, also when nothing was done.
      if (isEmptyDelta(delta) && !claim.isTaken()) return 0;
      await claim.take();
      return record.keep(delta);
    },
  };
}

type Draft = { readonly cell_id: string; readonly window?: string };

/**
 * A draft that came with the folder is foreign, and a window saves the drafts it gets: so only own drafts are
 * offered.
 */
function draftsAfter<T extends Draft & { readonly text: string; readonly base: string }>(
  claim: WriterClaim,
  drafts: StoredDrafts<T>,
): StoredDrafts<T> {
  const own = new Set<string>();
  const keyOf = ({ cell_id, window }: Draft): string => JSON.stringify([cell_id, window ?? null]);
  return {
    async list() {
      if (own.size === 0) return { drafts: [], problem: null };
      const listed = await drafts.list();
      return { ...listed, drafts: listed.drafts.filter((draft) => own.has(keyOf(draft))) };
    },
    async keep(draft) {
      await claim.take();
      await drafts.keep(draft);
      own.add(keyOf(draft));
    },
    async forget(key) {
      if (own.has(keyOf(key))) await drafts.forget(key);
    },
  };
}

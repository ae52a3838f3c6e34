/** Stores texts in `.svc` that a user typed but that could not be saved because the file was changed externally. */

import type * as z from 'zod';
import { type StoredTestDraft, storedTestDraft } from '../../../src-shared/wire/cellTests.ts';
import { type StoredSourceDraft, storedSourceDraft } from '../../../src-shared/wire/sourceDraft.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownName, ownPlace } from '../folder/ownPlaces.ts';
import { loadRecord, saveRecord } from '../folder/record.ts';

/**
 * Limits per kind of draft: their number, and the characters of all together; the oldest are removed first.
 */
export const MAX_DRAFTS = 100;
export const MAX_DRAFT_CHARACTERS = 8_000_000;

/** Identifies a draft: by cell and, for drafts per window, by window. */
interface DraftKey {
  readonly cell_id: string;
  readonly window?: string;
}

interface KeptDraft extends DraftKey {
  readonly text: string;
  readonly base: string;
}

/** A file in `.svc` with typed texts that could not be saved because of an external change. */
export interface StoredDrafts<T extends KeptDraft> {
  /** The drafts, oldest first. `problem`: a message that a damaged record was set aside. */
  list(): Promise<{ readonly drafts: readonly T[]; readonly problem: string | null }>;
  /** Stores the newest draft of its key. */
  keep(draft: T): Promise<void>;
  /** Removes a resolved draft. */
  forget(key: DraftKey): Promise<void>;
}

/** Texts that were typed in a notebook's windows and are not saved in any file. */
export interface NotebookDrafts {
  /** Drafts of tests, in `.svc/test_drafts.json`. */
  readonly tests: StoredDrafts<StoredTestDraft>;
  /** Drafts of sources, in `.svc/source_drafts.json`. */
  readonly sources: StoredDrafts<StoredSourceDraft>;
}

/** @param dir the notebook's folder */
export function createNotebookDrafts(dir: NotebookFolder): NotebookDrafts {
  return {
    tests: createKeptDrafts(dir, { name: 'testDrafts', what: 'Tests', draft: storedTestDraft }),
    sources: createKeptDrafts(dir, {
      name: 'sourceDrafts',
      what: 'Texts of cells',
      draft: storedSourceDraft,
    }),
  };
}

function createKeptDrafts<T extends KeptDraft>(
  dir: NotebookFolder,
  kind: { readonly name: 'testDrafts' | 'sourceDrafts'; readonly what: string; readonly draft: z.ZodType<T> },
): StoredDrafts<T> {
  const { name, what } = kind;
  const place = ownPlace(dir, name);
  const inTurn = createSerialRunner();
  const load = async (): Promise<Awaited<ReturnType<StoredDrafts<T>['list']>>> => {
    const { value, isDamaged } = await loadRecord(place, kind.draft.array());
    const problem = isDamaged
      ? `${what} with unsaved changes could not be read. The damaged file was renamed to ${ownName(name)}.bad.`
      : null;
    return { drafts: value ?? [], problem };
  };
  return {
    list: () => inTurn(load),
    keep: (draft) =>
      inTurn(async () => {
        const { drafts } = await load();
        await saveRecord(place, newestOf([...drafts.filter((one) => !isOf(one, draft)), draft]));
      }),
    forget: (key) =>
      inTurn(async () => {
        const { drafts } = await load();
        const rest = drafts.filter((one) => !isOf(one, key));
        if (rest.length < drafts.length) await saveRecord(place, rest);
      }),
  };
}

function isOf(draft: DraftKey, key: DraftKey): boolean {
  return draft.cell_id === key.cell_id && draft.window === key.window;
}

/** The drafts within the limits. The newest one stays at any size, because a user has just typed it. */
function newestOf<T extends KeptDraft>(drafts: readonly T[]): readonly T[] {
  let room = MAX_DRAFT_CHARACTERS;
  const newest = drafts.slice(-MAX_DRAFTS).toReversed();
  const fitting = newest.filter(({ text, base }, at) => {
    room -= text.length + base.length;
    return at === 0 || room >= 0;
  });
  return fitting.reverse();
}

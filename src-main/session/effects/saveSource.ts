/** Writes the edited source of a cell to its file, merged with changes by other programs. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { merge3 } from '../../../src-shared/notebook/merge3.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CellHistory } from '../../notebook/history/cellHistory.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import { FolderGoneError } from '../../notebook/writeText.ts';
import type { PrepareAnalysis } from '../state/events.ts';
import { namedAuthor } from '../state/namedAuthor.ts';
import type { OutsideChanges } from '../watch/outsideChanges.ts';
import type { SourceBatch, SourceWritten } from './sourceWrites.ts';

/**
 * Writes an edit, merged with external changes that its author had not seen: unread content of the file, and
 * content that was read after the edit was made. If both changed the same lines, the edit is refused with all
 * the texts. Of several edits the newest is written, and the history records them all.
 */
export async function saveSource(
  files: NotebookFiles,
  { superseded, newest: effect }: SourceBatch,
  tools: {
    readonly outside: OutsideChanges;
    readonly history: Pick<CellHistory, 'note'>;
    readonly learn: PrepareAnalysis;
  },
): Promise<SourceWritten> {
  const { outside, history, learn } = tools;
  const { ticket, origin, cellId: id, source, author, force } = effect;
  const fact = (
    refused: AppError | null,
    merged: { readonly text: string; readonly theirs: string } | null = null,
  ): SourceWritten => ({
    type: 'source_written',
    ticket,
    origin,
    cellId: id,
    source,
    file: files.file(),
    refused,
    merged,
  });
  const overtaken = (texts: { diskSource: string; baseSource: string }): SourceWritten => {
    outside.noteRefusal(id, texts.diskSource);
    return fact(changedOnDisk(id, { source, ...texts }));
  };
  try {
    let text = source;
    const base = outside.baseOf(id, effect.outside);
    const disk = files.sources().get(id)?.source;
    const isMeant = force && disk !== undefined && outside.wasRefusedWith(id, disk);
    if (base !== 'seen' && disk !== undefined && !isMeant) {
      if (base === 'forgotten') return overtaken({ diskSource: disk, baseSource: '' });
      const merged = merge3({ base, mine: source, theirs: disk });
      if (merged.kind === 'conflict') return overtaken({ diskSource: disk, baseSource: base });
      text = merged.text;
    }
    const before = files.sources().get(id)?.source ?? null;
    const written = await files.writeSource(id, text, { author: namedAuthor(author), force });
    if (written.kind === 'conflict') return overtaken(written);
    const now = written.kind === 'merged' ? written.text : text;
    const by = { author: namedAuthor(author) };
    for (const edit of [...superseded, effect]) {
      history.note(id, { ...by, text: edit.source, why: 'edit', before });
    }
    if (now === source) return fact(null);
    const theirs = (written.kind === 'merged' ? written.diskSource : disk) ?? '';
    history.note(id, { author: null, text: theirs, why: 'outside', before: null });
    history.note(id, { ...by, text: now, why: 'edit', before: null });
    outside.add(id, source);
    const language = files.file().cells.find((entry) => entry.id === id)?.language;
    if (language !== undefined) await learn([{ language, source: now }]);
    return fact(null, { text: now, theirs });
  } catch (error) {
    const { code, message, context } = refusalOf(error, 'The cell');
    const until = writableOnce(error);
    const refused = { ...context, cell_id: id };
    if (until === null) return fact(new AppError(code, message, refused));
    const words = `${message} The text stays in this session and is saved as soon as ${until}.`;
    return fact(new AppError('source_not_saved', words, refused));
  }
}

/** What must happen before a refused text can be written; null if only a different text can be. */
function writableOnce(error: unknown): string | null {
  if (error instanceof FolderGoneError) return 'the folder is back';
  if (error instanceof AppError) return null;
  return 'the disk accepts it. Free some space, or make the folder writable';
}

function changedOnDisk(
  id: CellId,
  texts: { source: string; diskSource: string; baseSource: string },
): AppError {
  return new AppError(
    'source_changed_on_disk',
    'The same lines of this cell were changed outside Cellar, so your text was not saved. Edit again with force to overwrite them, or take the file as it is.',
    { cell_id: id, source: texts.source, disk_source: texts.diskSource, base_source: texts.baseSource },
  );
}

/** A refusal that explains a disk error; programming errors are rethrown. */
export function refusalOf(error: unknown, what: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && 'code' in error) {
    return new AppError(
      'conflict',
      `${what} could not be saved: ${error.message}. Nothing on disk was changed.`,
    );
  }
  throw error;
}

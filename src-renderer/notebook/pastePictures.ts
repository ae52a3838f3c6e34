import { fileUse, pictureText } from '../../src-shared/notebook/dataFiles.ts';
import { withoutFinalBreak } from '../editor/finalBreak.ts';
import { loadedLiveHost } from '../editor/liveHost.ts';
import { copyToFolder } from '../live/addDataFiles.ts';
import type { NotebookSession } from '../live/notebookSession.ts';
import { shownSource } from '../state/notebookStore.ts';

/**
 * Pictures pasted into a text cell: they are copied into the notebook's folder, and the text refers to them at the
 * caret.
 * @returns whether the paste was handled; a paste with text and a picture is left as text
 */
export function pastePictures(session: NotebookSession, cellId: string, data: DataTransfer): boolean {
  const pictures = [...data.files].filter(({ name }) => fileUse(name) === 'picture');
  if (pictures.length === 0 || data.getData('text/plain') !== '') return false;
  const at = caretOffset();
  void (async () => {
    const texts: string[] = [];
    for (const file of pictures) {
      const path = await copyToFolder(session, file);
      if (path !== null) texts.push(pictureText(path));
    }
    if (texts.length === 0) return;
    // Uses the current text, which contains everything typed meanwhile.
    const text = shownSource(session.store.getState(), cellId);
    const place = Math.min(at ?? withoutFinalBreak(text).length, text.length);
    session.edits.type(cellId, `${text.slice(0, place)}${texts.join('\n')}${text.slice(place)}`);
  })();
  return true;
}

function caretOffset(): number | null {
  const { activeElement } = document;
  if (activeElement instanceof HTMLTextAreaElement && activeElement.dataset['editor'] === 'plain')
    return activeElement.selectionStart;
  return loadedLiveHost()?.caretOffset() ?? null;
}

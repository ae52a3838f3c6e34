import { loadedLiveHost } from '../editor/liveHost.ts';

/** The selected text: in the editor of a cell, which keeps its own selection, else on the page. */
export function selectedText(): string {
  const active = document.activeElement;
  if (active?.closest('[data-editor=live]')) return loadedLiveHost()?.chosenText() ?? '';
  if (active instanceof HTMLTextAreaElement) {
    return active.value.slice(active.selectionStart, active.selectionEnd);
  }
  return window.getSelection()?.toString() ?? '';
}

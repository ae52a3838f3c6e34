import { loadedLiveHost } from '../editor/liveHost.ts';

/** The text a person chose: in the cell they are writing, whose editor keeps that to itself, else on the page. */
export function selectedText(): string {
  const active = document.activeElement;
  if (active?.closest('[data-editor=live]')) return loadedLiveHost()?.chosenText() ?? '';
  if (active instanceof HTMLTextAreaElement) {
    return active.value.slice(active.selectionStart, active.selectionEnd);
  }
  return window.getSelection()?.toString() ?? '';
}

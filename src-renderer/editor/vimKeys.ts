/**
 * Vim's keys in the editor, loaded only when the person turned them on. The status bar contains the element
 * `vimStatus`, which shows the mode and the pending keys. `data-vim` on the editor says whether Vim handles Escape; in
 * normal mode with nothing pending, Escape leaves the cell.
 */

import type { editor as MonacoEditor } from 'monaco-editor/editor';
import { onThemeChange, preferences } from '../theme/theme.ts';
import { VIM_WORDS } from '../words/vim.ts';

type VimMode = ReturnType<typeof import('monaco-vim').initVimMode>;

/** Shows the mode, the pending keys, and the input line of `:` and `/`. */
export const vimStatus: HTMLElement = document.createElement('span');
vimStatus.className = 'vim-status';

interface VimKeys {
  /** To be called when the editor shows another cell: editing there begins in normal mode. */
  restart(): void;
}

export function followVimPreference(editor: MonacoEditor.IStandaloneCodeEditor, node: HTMLElement): VimKeys {
  let vim: VimMode | null = null;
  let isWanted = false;

  const end = (): void => {
    vim?.dispose();
    vim = null;
    vimStatus.replaceChildren();
    delete node.dataset['vim'];
  };
  const begin = async (): Promise<void> => {
    const { initVimMode, VimMode } = await import('monaco-vim');
    if (!isWanted) return;
    end();
    vim = initVimMode(editor, vimStatus);
    followMode(vim, { editor, node });
    // Text is saved while it is typed; people who type `:w` by habit get a notice.
    defineWrite(VimMode);
  };
  const follow = (): void => {
    if (preferences().vimKeys === isWanted) return;
    isWanted = preferences().vimKeys;
    if (isWanted) begin().catch((error: unknown) => console.error('Vim keys could not be loaded', error));
    else end();
  };
  onThemeChange(follow);
  follow();
  return {
    restart: () => {
      if (vim === null) return;
      end();
      void begin();
    },
  };
}

function followMode(
  vim: VimMode,
  { editor, node }: { readonly editor: MonacoEditor.IStandaloneCodeEditor; readonly node: HTMLElement },
): void {
  let mode = 'normal';
  const show = (isPending: boolean): void => {
    node.dataset['vim'] = isPending ? 'pending' : mode;
  };
  vim.on('vim-mode-change', (change: { readonly mode: string }) => {
    mode = change.mode;
    show(false);
  });
  // Vim reports Escape only after it has cancelled the pending keys.
  vim.on('vim-keypress', (key: string) => show(key !== '<Esc>'));
  vim.on('vim-command-done', () => show(false));
  // The input line of `:` or `/` does not report that it closes, but the editor then gets the focus again.
  const back = editor.onDidFocusEditorText(() => show(false));
  vim.on('dispose', () => back.dispose());
  show(false);
}

/** A part of the Vim package's interface that its types omit. */
interface ExCommands {
  readonly Vim: { defineEx(name: string, short: string, run: (cm: VimMode) => void): void };
}

function defineWrite(module: unknown): void {
  const { Vim } = module as ExCommands; // set by the package when it is loaded
  Vim.defineEx('write', 'w', (cm) => cm.openNotification(VIM_WORDS.saved));
}

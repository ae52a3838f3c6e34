/**
 * Vim's keys in the editor, by the person's choice; loaded only then. The mode and what is typed into it are shown by an
 * element that the status bar takes in (`vimStatus`). `data-vim` on the editor says whether Escape means something to Vim:
 * in normal mode with nothing pending, it leaves the cell.
 */
import type { editor as MonacoEditor } from 'monaco-editor/editor';
import { onThemeChange, preferences } from '../theme/theme.ts';
import { VIM_WORDS } from '../words/vim.ts';

type VimMode = ReturnType<typeof import('monaco-vim').initVimMode>;

/** Shows the mode, keys that wait for more, and the line of `:` and `/`. */
export const vimStatus: HTMLElement = document.createElement('span');
vimStatus.className = 'vim-status';

interface VimKeys {
  /** The editor shows another cell: it begins in normal mode. */
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
    // Texts are written as they are typed; `:w` by habit gets an answer.
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
  // Escape ends what was pending before it is reported.
  vim.on('vim-keypress', (key: string) => show(key !== '<Esc>'));
  vim.on('vim-command-done', () => show(false));
  // The line of `:` or `/`, which has the focus meanwhile, reports no end.
  const back = editor.onDidFocusEditorText(() => show(false));
  vim.on('dispose', () => back.dispose());
  show(false);
}

/** The part of Vim's own interface that its types leave out. */
interface ExCommands {
  readonly Vim: { defineEx(name: string, short: string, run: (cm: VimMode) => void): void };
}

function defineWrite(module: unknown): void {
  const { Vim } = module as ExCommands; // set by the package when it is loaded
  Vim.defineEx('write', 'w', (cm) => cm.openNotification(VIM_WORDS.saved));
}

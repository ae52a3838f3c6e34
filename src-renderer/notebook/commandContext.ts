/** Runs a command of the command table on the open notebook and its page. */

import type { Command, CommandContext, PagePort } from '../commands/command.ts';
import { commandOf } from '../commands/registry.ts';
import { loadedLiveHost } from '../editor/liveHost.ts';
import type { NotebookSession } from '../live/notebookSession.ts';
import { appHash } from '../state/appHash.ts';
import { findStore } from '../state/findStore.ts';
import { nextTheme, preferences, setPreferences } from '../theme/theme.ts';
import { copyCells, pasteCells } from './pageClipboard.ts';
import { selectedText } from './selectedText.ts';

/** The state that commands work on now. */
export function contextOf(session: NotebookSession): CommandContext {
  return { session, view: session.store.getState(), page: pagePort(session) };
}

/**
 * Runs a command of the registry if it applies.
 * @returns whether it did
 */
export function runCommand(session: NotebookSession, command: Command): boolean {
  const context = contextOf(session);
  if (command.when !== undefined && command.when(context) !== true) return false;
  command.run(context);
  return true;
}

/** Runs the command that a menu of the desktop app names. An unknown id comes from another version of the app. */
export function runCommandOf(session: NotebookSession, id: string): void {
  const command = commandOf(id);
  if (command === null) console.error(`there is no command ${id}`);
  else runCommand(session, command);
}

function pagePort(session: NotebookSession): PagePort {
  return {
    caretOffset: () =>
      session.store.getState().mode === 'edit' ? (loadedLiveHost()?.caretOffset() ?? null) : null,
    editorCan: (what) => session.store.getState().mode === 'edit' && (loadedLiveHost()?.can(what) ?? false),
    scroll: (screens) => {
      const root = document.querySelector('[data-scroll-root]');
      root?.scrollBy({ top: screens * root.clientHeight * 0.85 });
    },
    openApp: () => {
      const { sessionId, path } = session.store.getState();
      session.edits.saveAll();
      window.location.hash = appHash(sessionId, path);
    },
    openFind: ({ replace }) =>
      findStore.getState().show({ replace, query: selectedText().split('\n')[0] ?? '' }),
    findNext: (by) => findStore.getState().step(by),
    nextTheme,
    toggleLines: () => setPreferences({ codeLines: !preferences().codeLines }),
    copy: () => copyCells(session, { cut: false }),
    cut: () => copyCells(session, { cut: true }),
    paste: (place) => void pasteCells(session, place),
    rename: (what) => {
      const { focusedId } = session.store.getState();
      if (what === 'notebook') session.name('notebook');
      else if (focusedId !== null) session.name({ cellId: focusedId });
    },
  };
}

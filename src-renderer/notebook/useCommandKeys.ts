/** Runs commands on keys, clipboard events and menus. */

import { useEffect } from 'react';
import type { Command } from '../commands/command.ts';
import { createKeyReader } from '../commands/keys.ts';
import { COMMANDS } from '../commands/registry.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { IS_MAC } from '../ui/chord.ts';
import { contextOf, runCommandOf } from './commandContext.ts';
import { useSession } from './context.ts';
import { followClipboard } from './pageClipboard.ts';

/** Commands that are as useful while a field has the focus; they bring a key no field has a use for. */
const IN_FIELDS = new Set([
  'view.palette',
  'view.quickOpen',
  'view.assistant',
  'edit.find',
  'edit.replace',
  'edit.findNext',
  'edit.findPrevious',
  'notebook.save',
]);

/** In a terminal the shell's own keys come first, so only those that no shell has a use for. */
const IN_TERMINAL = new Set(['view.palette', 'view.terminal']);

/**
 * Runs the command table on keys, the browser's clipboard, and the menu of the desktop window. A command comes
 * before the editor, unless it yields: then it runs only on keys that nothing nearer has taken.
 */
export function useCommandKeys(): void {
  const session = useSession();
  useEffect(() => {
    const reader = createKeyReader(COMMANDS, IS_MAC);
    // One press is read once: a sequence would begin twice.
    let lastPress: { event: KeyboardEvent; command: Command | null } | null = null;
    const commandFor = (event: KeyboardEvent, target: Element): Command | null => {
      if (lastPress?.event === event) return lastPress.command;
      const inEditor = target.closest('[data-editor]') !== null;
      // When the key was pressed: a page that is busy handles the keys of a sequence long after.
      const command = reader.read(event, inEditor ? 'edit' : 'command', event.timeStamp);
      lastPress = { event, command };
      return command;
    };
    const press = (event: KeyboardEvent, phase: 'before' | 'after'): void => {
      const { target } = event;
      if (event.defaultPrevented || !(target instanceof Element)) return;
      const over = target.closest('[role=dialog], [role=alertdialog], [role=menu]');
      if (over !== null && !(over.hasAttribute('data-run-keys') && isRunKey(event))) return;
      const inEditor = target.closest('[data-editor]') !== null;
      const isTakenByControl = !inEditor && belongsToControl(target, event);
      // What is typed into a field must not begin a sequence of keys either.
      if (isTakenByControl && !event.ctrlKey && !event.metaKey && !/^F\d/.test(event.key)) return;
      const command = commandFor(event, target);
      if (command === null || (isTakenByControl && !usableInField(command, target))) return;
      const isBefore = inEditor ? command.yields !== true || leavesVim(command, target) : isTakenByControl;
      if (isBefore !== (phase === 'before')) return;
      const context = contextOf(session);
      if (command.when !== undefined && command.when(context) !== true) return;
      event.preventDefault();
      if (phase === 'before') event.stopPropagation();
      command.run(context);
    };
    const before = (event: KeyboardEvent): void => press(event, 'before');
    const after = (event: KeyboardEvent): void => press(event, 'after');
    window.addEventListener('keydown', before, { capture: true });
    window.addEventListener('keydown', after);
    const stopClipboard = followClipboard(session);
    const stopShell = shellBridge()?.onCommand((id) => runCommandOf(session, id));
    return () => {
      window.removeEventListener('keydown', before, { capture: true });
      window.removeEventListener('keydown', after);
      stopClipboard();
      stopShell?.();
    };
  }, [session]);
}

/** Escape in Vim's normal mode, with nothing pending: Vim would take it and do nothing. */
function leavesVim({ id }: Command, target: Element): boolean {
  return id === 'cell.leave' && target.closest('[data-vim=normal]') !== null;
}

function usableInField({ id }: Command, field: Element): boolean {
  // On a Mac the commands have the Command key, which the shell never gets.
  const isShells = !IS_MAC && field.closest('[data-terminal]') !== null;
  return IN_TERMINAL.has(id) || (!isShells && IN_FIELDS.has(id));
}

/** Keys that still work while a run prompt is open: another run joins the prompt. */
function isRunKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (shiftKey || ctrlKey || metaKey);
}

/**
 * Text fields take every key, buttons take Enter and Space, scrolling boxes the arrows. A button that was clicked
 * keeps the focus: Shift+Enter is still the notebook's then. A link does something of its own with each.
 */
function belongsToControl(target: Element, event: KeyboardEvent): boolean {
  const { key } = event;
  if (target.closest('input, select, textarea, iframe') !== null) return true;
  if (key === 'Enter' || key === ' ') {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (target.closest(isPlain ? 'button, a, summary, [role=tab]' : 'a') !== null) return true;
  }
  return key.startsWith('Arrow') && target.closest('.console-box, [data-own-arrows], [role=grid]') !== null;
}

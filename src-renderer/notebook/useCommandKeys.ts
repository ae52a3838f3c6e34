/** Hook that runs commands of the command table on keys, clipboard events and menus of the desktop window. */

import { useEffect } from 'react';
import type { Command } from '../commands/command.ts';
import { createKeyReader } from '../commands/keys.ts';
import { COMMANDS } from '../commands/registry.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { IS_MAC } from '../ui/chord.ts';
import { contextOf, runCommandOf } from './commandContext.ts';
import { useSession } from './context.ts';
import { followClipboard } from './pageClipboard.ts';

/** Commands that also work while a text field has the focus; fields do not use their keys. */
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

/**
 * In a terminal the keys of the shell take precedence, so only these commands, whose keys no shell uses, work there.
 */
const IN_TERMINAL = new Set(['view.palette', 'view.terminal']);

/**
 * Runs commands on keys, on the browser's clipboard events, and from the menu of the desktop window. A command takes
 * precedence over the editor, unless it yields: then it runs only if nothing nearer handles the key.
 */
export function useCommandKeys(): void {
  const session = useSession();
  useEffect(() => {
    const reader = createKeyReader(COMMANDS, IS_MAC);
    // Each press is read once, because reading it twice would advance a key sequence twice.
    let lastPress: { event: KeyboardEvent; command: Command | null } | null = null;
    const commandFor = (event: KeyboardEvent, target: Element): Command | null => {
      if (lastPress?.event === event) return lastPress.command;
      const inEditor = target.closest('[data-editor]') !== null;
      // The time of the press, because a busy page may handle the keys of a sequence much later.
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
      // Text typed into a field must not start a key sequence either.
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

/** Escape in Vim's normal mode with no pending keys: Vim would handle the key without effect. */
function leavesVim({ id }: Command, target: Element): boolean {
  return id === 'cell.leave' && target.closest('[data-vim=normal]') !== null;
}

function usableInField({ id }: Command, field: Element): boolean {
  // On a Mac, commands use the Command key, which no shell receives.
  const isShells = !IS_MAC && field.closest('[data-terminal]') !== null;
  return IN_TERMINAL.has(id) || (!isShells && IN_FIELDS.has(id));
}

/** Keys that still work while a prompt about other cells is open: another run joins the prompt. */
function isRunKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (shiftKey || ctrlKey || metaKey);
}

/**
 * Whether the focused control uses a key itself: text fields use every key, buttons Enter and Space, scrollable boxes
 * the arrow keys. A clicked button keeps the focus, so Shift+Enter still runs the cell then; a link uses Enter with
 * modifier keys, too.
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

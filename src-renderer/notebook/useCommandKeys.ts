import { useEffect } from 'react';
import { createKeyReader } from '../commands/keys.ts';
import { COMMANDS } from '../commands/registry.ts';
import { useSession } from './context.ts';

/** Runs the command table on key presses that nothing nearer has taken. */
export function useCommandKeys(): void {
  const session = useSession();
  useEffect(() => {
    const isMac = /Mac/.test(navigator.platform);
    const reader = createKeyReader(COMMANDS, isMac);
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      const view = session.store.getState();
      const inEditor = event.target.closest('[data-editor]') !== null;
      if (!inEditor && belongsToControl(event.target, event.key)) return;
      const command = reader.read(event, inEditor ? 'edit' : 'command', Date.now());
      const context = { session, view };
      if (command === null || command.when?.(context) === false) return;
      event.preventDefault();
      command.run(context);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [session]);
}

/** Text fields take every key, buttons take Enter and Space, scrolling boxes the arrows. */
function belongsToControl(target: Element, key: string): boolean {
  if (target.closest('input, select, textarea, iframe') !== null) return true;
  if ((key === 'Enter' || key === ' ') && target.closest('button, a') !== null) return true;
  return key.startsWith('Arrow') && target.closest('.console-box, [data-own-arrows]') !== null;
}

/** The menu below an empty cell in which `/` was typed: languages and snippets to start with. */

import './slash.css';
import { useEffect, useId, useRef, useState } from 'react';
import { withoutFinalBreak } from '../../editor/finalBreak.ts';
import { LanguageIcon } from '../../editor/LanguageMark.tsx';
import { type ShownText, useText } from '../../editor/shownText.ts';
import type { NotebookSession } from '../../live/notebookSession.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { SLASH_WORDS as W } from '../../words/slash.ts';
import { useSession } from '../context.ts';
import { type SlashItem, slashItems, slashQuery } from './slashItems.ts';

/** The menu below an empty cell in which `/` was typed. Typing filters it, and Enter inserts the marked item. */
export function SlashMenu({ cellId, text }: { readonly cellId: string; readonly text: ShownText }) {
  const source = withoutFinalBreak(useText(text));
  const query = slashQuery(source);
  const [isDismissed, setIsDismissed] = useState(false);
  // After the text is no longer a query, a later query opens the menu again.
  useEffect(() => {
    if (query === null) setIsDismissed(false);
  }, [query]);
  if (source === '') return <span className="slash-tip">{W.tip}</span>;
  if (query === null || isDismissed) return null;
  return <OpenMenu cellId={cellId} query={query} onClose={() => setIsDismissed(true)} />;
}

function OpenMenu(props: { readonly cellId: string; readonly query: string; readonly onClose: () => void }) {
  const { cellId, query, onClose } = props;
  const session = useSession();
  const { value: own } = useAnswer('ownSnippets', {}, { subject: 'snippets', key: '' });
  const items = slashItems(query, own?.snippets ?? []);
  const [marked, setMarked] = useState(0);
  const at = Math.min(marked, Math.max(0, items.length - 1));
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef({ items, at });
  latest.current = { items, at };
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, another list
  useEffect(() => setMarked(0), [query]);
  useEffect(() => {
    // In the capture phase, because the editor would move the caret or insert a line break.
    const press = (event: KeyboardEvent): void => {
      const inside = event.target instanceof Node && box.current?.parentElement?.contains(event.target);
      if (inside !== true || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const { items: shownItems, at: now } = latest.current;
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const item = shownItems[now];
      if (by !== undefined && shownItems.length > 0)
        setMarked((now + by + shownItems.length) % shownItems.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && item !== undefined)
        void take(session, cellId, item);
      else if (event.key === 'Escape') onClose();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [session, cellId, onClose]);
  useEffect(() => {
    document.getElementById(`${id} ${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  return (
    <div className="slash" ref={box}>
      <div
        className="slash-list"
        role="listbox"
        aria-label={W.title}
        aria-activedescendant={`${id} ${at}`}
        tabIndex={-1}
      >
        {items.map((item, nth) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken from the editor, which has the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the editor
          <div
            key={item.id}
            id={`${id} ${nth}`}
            className="slash-item"
            role="option"
            aria-selected={nth === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => void take(session, cellId, item)}
          >
            <LanguageIcon language={item.language} />
            {item.title}
          </div>
        ))}
      </div>
      <p className="slash-hint" aria-live="polite">
        {items.length === 0 ? W.nothing : W.hint}
      </p>
      {own === null || own.problem === null ? null : (
        <p className="slash-hint" role="status">
          {W.notRead(own.problem)}
        </p>
      )}
    </div>
  );
}

/** Gives the cell the language and the text of the item, and starts editing it; one undo step. */
async function take(session: NotebookSession, cellId: string, item: SlashItem): Promise<void> {
  await session.shape.changeLanguage([cellId], item.language, () => item.source);
  const { focusedId } = session.store.getState();
  if (focusedId !== null) session.focus(focusedId, 'edit');
}

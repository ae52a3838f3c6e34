/** The input field of a console inside a cell. */

import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { canComplete, commonStart, nameBeforeCaret, withCompletion } from '../../state/consoleCompletion.ts';
import { indentAfter, isIncompleteInput } from '../../state/consoleInput.ts';
import { isFocusLost } from '../../ui/lostFocus.ts';
import { CELL_CONSOLE_WORDS } from '../../words/cellConsole.ts';
import { CellConsoleCompletions, nameId } from './CellConsoleCompletions.tsx';
import { phaseOf } from './CellConsoleHead.tsx';

/** The prompt grows with its text up to this many lines. */
const MAX_LINES = 12;

/**
 * The input for Python: Enter evaluates, Shift+Enter starts a new line, Tab completes, and the arrow keys browse the
 * history.
 */
export function CellConsolePrompt({ id }: { id: string }) {
  const session = useSession();
  const name = useView(({ model }) => cellName(model, id));
  const phase = useView(({ model }) => phaseOf(model.cellConsoles[id]));
  const history = useView(({ model }) => model.cellConsoles[id]?.history);
  const requests = useView((view) => view.consoleFocusRequests);
  const live = useView(({ link }) => link.kind === 'live');
  const [text, setText] = useState('');
  /** The position in the history, counted from its end, and the text typed before browsing. */
  const [back, setBack] = useState<{ readonly steps: number; readonly draft: string }>({
    steps: 0,
    draft: '',
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const canType = live && phase !== 'closed';
  const handledRequest = useRef<number | null>(null);
  useEffect(() => {
    if (!canType) return;
    // Focus on request; after a reconnect, only if nothing else has the focus.
    if (handledRequest.current !== requests || isFocusLost(null))
      field.current?.focus({ preventScroll: true });
    handledRequest.current = requests;
  }, [requests, canType]);

  const answered = useView(({ model }) => model.cellConsoles[id]?.names ?? null);
  /** A completion request that is still open: the text before the caret, and the selected name. */
  const [completing, setCompleting] = useState<{ readonly before: string; readonly chosen: number } | null>(
    null,
  );
  const [caret, setCaret] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (caret === null) return;
    field.current?.setSelectionRange(caret, caret);
    setCaret(null);
  }, [caret]);
  const names =
    completing !== null && answered !== null && answered.asked === completing.before ? answered.names : null;

  const write = (next: string): void => {
    setText(next);
    setBack({ steps: 0, draft: '' });
    setCompleting(null);
  };
  const take = (name: string, before: string): void => {
    const completed = withCompletion(before, { after: text.slice(before.length), name });
    write(completed.text);
    setCaret(completed.caret);
  };
  // A single name is inserted immediately; of several, their common prefix.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (completing === null || names === null) return;
    const { before } = completing;
    const shared = commonStart(names);
    if (names.length === 0) setCompleting(null);
    else if (names.length === 1 || shared.length > nameBeforeCaret(before).length) take(shared, before);
  }, [names]);
  const isChoosing = completing !== null && names !== null && names.length > 1;
  /**
   * Handles the keys of the list of completions.
   * @returns whether the key was one of them
   */
  const choose = (key: string): boolean => {
    if (!isChoosing) return false;
    const { before, chosen } = completing;
    if (key === 'Escape') setCompleting(null);
    else if (key === 'Enter' || key === 'Tab') take(names[chosen] ?? '', before);
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const by = key === 'ArrowDown' ? 1 : names.length - 1;
      setCompleting({ before, chosen: (chosen + by) % names.length });
    } else return false;
    return true;
  };
  const goBack = (by: 1 | -1): boolean => {
    const all = history ?? [];
    const steps = back.steps + by;
    if (steps < 0 || steps > all.length) return false;
    const draft = back.steps === 0 ? text : back.draft;
    setBack({ steps, draft });
    setText(steps === 0 ? draft : (all.at(-steps) ?? ''));
    return true;
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { selectionStart: from, selectionEnd: to } = event.currentTarget;
    const has = event.ctrlKey || event.metaKey;
    if (event.nativeEvent.isComposing) return;
    if (!has && !event.shiftKey && choose(event.key)) {
      event.preventDefault();
      return;
    }
    const before = text.slice(0, from);
    if (
      event.key === 'Tab' &&
      !event.shiftKey &&
      !has &&
      from === to &&
      phase === 'ready' &&
      canComplete(before)
    ) {
      event.preventDefault();
      setCompleting({ before, chosen: 0 });
      session.consoles.complete(id, before);
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (!has && from === text.length && isIncompleteInput(text)) write(`${text}\n${indentAfter(text)}`);
      else if (text.trim() !== '' && canType) {
        session.consoles.evaluate(id, text);
        write('');
      }
    } else if (event.key === 'c' && event.ctrlKey && from === to && phase === 'busy') {
      event.preventDefault();
      session.consoles.stop(id);
    } else if (event.key === 'ArrowUp' && !has && !event.shiftKey && !text.slice(0, from).includes('\n')) {
      if (goBack(1)) event.preventDefault();
    } else if (event.key === 'ArrowDown' && !has && !event.shiftKey && !text.slice(to).includes('\n')) {
      if (goBack(-1)) event.preventDefault();
    }
  };
  return (
    <div className="cell-console-prompt" data-off={!canType}>
      <span className="cell-console-sign" aria-hidden="true">
        ›
      </span>
      {isChoosing ? (
        <CellConsoleCompletions
          cellId={id}
          names={names}
          chosen={completing.chosen}
          onChoose={(name) => take(name, completing.before)}
        />
      ) : null}
      <textarea
        ref={field}
        aria-label={CELL_CONSOLE_WORDS.prompt(name)}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isChoosing ? `cell-console-names-${id}` : undefined}
        aria-activedescendant={isChoosing ? nameId(id, completing.chosen) : undefined}
        placeholder={CELL_CONSOLE_WORDS.placeholder}
        rows={Math.min(MAX_LINES, text.split('\n').length)}
        value={text}
        disabled={!canType}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={() => setCompleting(null)}
      />
    </div>
  );
}

/** The find and replace bar: searches all cells of the notebook and replaces in their sources. */

import './find.css';
import {
  ArrowDown,
  ArrowUp,
  CaseSensitive,
  ChevronDown,
  ChevronRight,
  Regex,
  WholeWord,
  X,
} from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../notebook/context.ts';
import type { FindOptions } from '../state/findStore.ts';
import { findStore } from '../state/findStore.ts';
import { shownSource } from '../state/notebookStore.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { toast } from '../ui/toastStore.ts';
import { FIND_WORDS as W } from '../words/find.ts';
import { search } from './search.ts';
import type { Match } from './searchText.ts';
import { MAX_MATCHES } from './searchText.ts';
import { type Search, useMatches } from './useMatches.ts';
import { useMatchHighlights, useScrollToMatch } from './useMatchHighlights.ts';

/** Searches all cells and replaces in sources. Renders nothing while it is closed. */
export function FindBar() {
  const session = useSession();
  const notebook = useStore(session.store, ({ path, sessionId }) => path ?? sessionId);
  useLayoutEffect(() => {
    findStore.getState().enter(notebook);
  }, [notebook]);
  const open = useStore(findStore, (find) => find.open);
  return open ? <Bar /> : null;
}

function Bar() {
  const session = useSession();
  const find = useStore(findStore);
  const result = useMatches(session);
  const { pattern, matches, state } = result;
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const paintPattern = pattern.kind === 'pattern' ? pattern : null;
  const present = matches[Math.min(at, matches.length - 1)] ?? null;
  useMatchHighlights(matches, present, paintPattern);
  const want = useCallback((cellId: string) => session.want(cellId), [session]);
  useScrollToMatch(present, { pattern: paintPattern, want });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs each time the bar is requested
  useEffect(() => {
    // Sources are searched as saved text, so no cell may be in edit mode while the bar is open.
    session.leaveEdit();
    field.current?.focus();
    field.current?.select();
  }, [find.asked]);

  // A new query starts its search at the cell that has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new query restarts the search, not later results
  useEffect(() => {
    const { model, focusedId } = session.store.getState();
    const from = focusedId === null ? 0 : model.order.indexOf(focusedId);
    const first = matches.findIndex((match) => model.order.indexOf(match.cellId) >= from);
    setAt(Math.max(0, first));
  }, [pattern, state]);

  const { steps } = find;
  const handledSteps = useRef(steps.nth);
  useEffect(() => {
    if (handledSteps.current === steps.nth) return;
    handledSteps.current = steps.nth;
    setAt((now) => (matches.length === 0 ? 0 : (now + steps.by + matches.length) % matches.length));
  }, [steps, matches.length]);

  const close = (): void => {
    find.close();
    if (present !== null) session.focus(present.cellId, 'command');
    // If the cell was the notebook's focused cell all along, nothing else moves the browser's focus to it.
    document.querySelector<HTMLElement>('[data-cell-id][aria-current=true]')?.focus({ preventScroll: true });
  };
  const replacing =
    paintPattern === null
      ? null
      : { regexp: paintPattern.regexp, by: find.replacement, groups: find.options.regex };
  const tooLong = (): void => void toast(W.replaceSlow);
  const replaceOne = (match: Match): void => {
    if (paintPattern === null || replacing === null || match.area !== 'source') {
      find.step(1);
      return;
    }
    const { cellId, start, end } = match;
    const source = shownSource(session.store.getState(), cellId);
    search(
      { kind: 'replaceAt', replacing, text: source, start },
      (outcome) => {
        // The source changed while searching: the result is outdated.
        if (shownSource(session.store.getState(), cellId) !== source) return;
        if (outcome.kind !== 'done') {
          tooLong();
          return;
        }
        const { text, again } = outcome.answer;
        void session.shape.writeSources(new Map([[cellId, text]]), 'replace');
        // The inserted text may match too: go past it.
        if (text.length - source.length + (end - start) > 0 && again) find.step(1);
      },
      paintPattern,
    );
  };
  const replaceEvery = (): void => {
    if (paintPattern === null || replacing === null) return;
    // The current count: the one in the bar may be a moment old.
    const view = session.store.getState();
    const ids = view.model.order;
    const texts = ids.map((id) => shownSource(view, id));
    search(
      { kind: 'replaceAll', replacing, texts },
      (outcome) => {
        if (outcome.kind !== 'done') {
          tooLong();
          return;
        }
        const now = session.store.getState();
        const { texts: replaced, count } = outcome.answer;
        const changed = ids.flatMap((id, at) => {
          const [before, after] = [texts[at], replaced[at]];
          const same = before === after || after === undefined || shownSource(now, id) !== before;
          return same ? [] : [[id, after] as const];
        });
        const words = W.replaced(count, changed.length);
        // Without a change there is no undo step: an undo would revert the action before.
        const undo = changed.length > 0;
        void session.shape.writeSources(new Map(changed), 'replace').then(() => session.say(words, { undo }));
      },
      paintPattern,
    );
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: the oldest browser we run in does not know <search>
    <div
      role="search"
      className="find-bar"
      aria-label={W.title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <IconButton
        label={W.showReplace}
        aria-expanded={find.replacing}
        onClick={() => find.look({ replacing: !find.replacing })}
      >
        {find.replacing ? <ChevronDown /> : <ChevronRight />}
      </IconButton>
      <div className="find-lines">
        <div className="find-line">
          <input
            ref={field}
            className="field find-field"
            aria-label={W.query}
            placeholder={W.queryHint}
            aria-invalid={pattern.kind === 'wrong' || state === 'slow'}
            aria-describedby="find-count"
            spellCheck={false}
            value={find.query}
            onChange={(event) => find.look({ query: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              find.step(event.shiftKey ? -1 : 1);
            }}
          />
          <Choices options={find.options} onChange={(options) => find.look({ options })} />
          <span id="find-count" className="find-count" role="status" data-find-count>
            {countWords(result, at)}
          </span>
          <IconButton label={W.previous} disabled={matches.length === 0} onClick={() => find.step(-1)}>
            <ArrowUp />
          </IconButton>
          <IconButton label={W.next} disabled={matches.length === 0} onClick={() => find.step(1)}>
            <ArrowDown />
          </IconButton>
          <IconButton label={W.close} onClick={close}>
            <X />
          </IconButton>
        </div>
        {find.replacing ? (
          <div className="find-line">
            <input
              className="field find-field"
              aria-label={W.replacement}
              placeholder={W.replacement}
              spellCheck={false}
              value={find.replacement}
              onChange={(event) => find.look({ replacement: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing || present === null) return;
                event.preventDefault();
                replaceOne(present);
              }}
            />
            <Button
              disabled={present === null || present.area !== 'source'}
              title={present !== null && present.area !== 'source' ? W.outputOnly : undefined}
              onClick={() => {
                if (present !== null) replaceOne(present);
              }}
            >
              {W.replace}
            </Button>
            <Button disabled={!matches.some((match) => match.area === 'source')} onClick={replaceEvery}>
              {W.replaceAll}
            </Button>
          </div>
        ) : null}
        {pattern.kind === 'wrong' ? (
          <p className="find-wrong" role="alert">
            {W.wrong(pattern.problem)}
          </p>
        ) : null}
        {state === 'slow' || state === 'failed' ? (
          <p className="find-wrong" role="alert">
            {state === 'slow' ? W.slow : W.failed}
          </p>
        ) : null}
      </div>
    </div>
  );
}

function countWords({ pattern, matches, state }: Search, at: number): string {
  if (pattern.kind !== 'pattern' || state === 'slow' || state === 'failed') return '';
  if (state === 'searching') return W.searching;
  if (matches.length === 0) return W.none;
  return W.place(Math.min(at, matches.length - 1) + 1, matches.length, matches.length >= MAX_MATCHES);
}

const CHOICES = [
  ['matchCase', W.matchCase, CaseSensitive],
  ['wholeWord', W.wholeWord, WholeWord],
  ['regex', W.regex, Regex],
] as const;

function Choices(props: { options: FindOptions; onChange: (options: FindOptions) => void }) {
  const { options, onChange } = props;
  return CHOICES.map(([key, label, Icon]) => (
    <IconButton
      key={key}
      label={label}
      aria-pressed={options[key]}
      onClick={() => onChange({ ...options, [key]: !options[key] })}
    >
      <Icon />
    </IconButton>
  ));
}

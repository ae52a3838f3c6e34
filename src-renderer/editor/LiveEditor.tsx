/** The editor in the cell that is being edited: Monaco, and a plain text area until Monaco's code has loaded. */

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KnownName } from '../state/knownNames.ts';
import { type Caret, caretAtOffset, caretBelowDirectives, offsetOfCaret, type Selection } from './caret.ts';
import { type EditorFault, NO_FAULTS } from './editorFault.ts';
import type { LiveHost } from './liveHost.ts';
import { liveHost } from './liveHost.ts';
import type { PythonContext } from './python/pythonContext.ts';
import { type ShownText, useText } from './shownText.ts';
import type { SqlContext } from './sql/offerSql.ts';
import type { Suggest } from './suggestion/offerSuggestions.ts';

const NO_NAMES: readonly KnownName[] = [];

/** The selection and focus at the moment the text area was replaced by the editor, or the editor by another one. */
interface Left {
  /** Null: at the beginning. */
  readonly selection: Selection | null;
  /** False when the focus had moved elsewhere by then: the new editor does not take it. */
  readonly focused: boolean;
}

/**
 * The one live editor, in the cell being edited. Until the editor's chunk has loaded, a plain text area replaces it, so
 * that typing never waits; the editor then continues where the text area was, but not during an input method's
 * composition.
 */
export function LiveEditor(props: {
  cellId: string;
  text: ShownText;
  /** Monaco's id of the language, from `editorLanguage`. */
  language: string;
  /** Names of other cells, offered as completions. */
  names?: () => readonly KnownName[];
  /** The database that a SQL cell queries. */
  sql?: () => SqlContext | null;
  /** Language services for the text of a Python cell. */
  python?: () => PythonContext | null;
  /** Requests a text to suggest at the caret. */
  suggest?: Suggest;
  label: string;
  caret: Caret | null;
  faults?: readonly EditorFault[];
  onType: (text: string) => void;
  onBlur: () => void;
}) {
  const [host, setHost] = useState<LiveHost | null>(null);
  const [composing, setComposing] = useState(false);
  const caret = props.caret ?? caretBelowDirectives(props.text.now());
  const caretLeft = useRef<Left>({
    selection: caret === null ? null : { start: caret, end: caret },
    focused: true,
  });
  useEffect(() => {
    let isUnmounted = false;
    liveHost().then(
      (loaded) => {
        if (!isUnmounted) setHost(loaded);
      },
      (error: unknown) => console.error('the editor did not load; using a plain text box', error),
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  return host === null || composing ? (
    <PlainEditor {...props} left={caretLeft} onComposing={setComposing} />
  ) : (
    <HostedEditor {...props} left={caretLeft} host={host} />
  );
}

type EditorProps = Parameters<typeof LiveEditor>[0] & { left: { current: Left } };

function HostedEditor(props: EditorProps & { host: LiveHost }) {
  const { host, cellId, text, language, label, left: caretRef, faults = NO_FAULTS } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  // In the same commit that removes the text area, so that no key press in between is lost.
  useLayoutEffect(() => {
    const { current: element } = place;
    if (element === null) return;
    const detach = host.attach({
      cellId,
      element,
      source: text.now(),
      language,
      names: () => latest.current.names?.() ?? NO_NAMES,
      sql: () => latest.current.sql?.() ?? null,
      python: () => latest.current.python?.() ?? null,
      suggest: async (place, signal) => (await latest.current.suggest?.(place, signal)) ?? '',
      label,
      ...caretRef.current,
      onType: (text) => latest.current.onType(text),
      onBlur: () => latest.current.onBlur(),
    });
    return () => {
      // When the editor is attached again under another label, its model still has the caret.
      caretRef.current = { selection: null, focused: element.contains(document.activeElement) };
      detach();
    };
  }, [host, cellId, text, language, label, caretRef]);
  // A source that changed elsewhere replaces the text; after typing here, the two are equal and nothing is replaced.
  useEffect(() => {
    const show = (): void => host.replaceText(cellId, text.now());
    show();
    return text.watch(show);
  }, [host, cellId, text]);
  // After the effect that updates the text, so that the marked lines exist.
  useEffect(() => host.showFaults(cellId, faults), [host, cellId, faults]);
  return <div className="live-editor" ref={place} data-editor="live" />;
}

function PlainEditor(props: EditorProps & { onComposing: (composing: boolean) => void }) {
  const { text, label, left: caretRef, onType, onBlur, onComposing } = props;
  const source = useText(text);
  const place = useRef<HTMLTextAreaElement>(null);
  const first = useRef(source);
  useLayoutEffect(() => {
    const box = place.current;
    if (box === null) return;
    // The same start position as in the editor, so that it makes no difference which of the two appears first.
    const [from, to] = spanOf(first.current, caretRef.current.selection);
    box.setSelectionRange(from, to);
    return () => {
      const { value, selectionStart, selectionEnd } = box;
      caretRef.current = {
        selection: {
          start: caretAtOffset(value, selectionStart),
          end: caretAtOffset(value, selectionEnd),
        },
        focused: document.activeElement === box,
      };
    };
  }, [caretRef]);
  return (
    <textarea
      ref={place}
      className="plain-editor"
      // The person has just chosen to edit this text.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={label}
      spellCheck={false}
      rows={Math.max(1, source.split('\n').length)}
      value={source}
      onChange={(event) => onType(event.target.value)}
      onBlur={onBlur}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
      data-editor="plain"
    />
  );
}

function spanOf(text: string, selection: Selection | null): readonly [from: number, to: number] {
  if (selection === null) return [0, 0];
  return [offsetOfCaret(text, selection.start), offsetOfCaret(text, selection.end)];
}

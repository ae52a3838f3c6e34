import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { indentAfter, needsMore } from '../../state/insideText.ts';
import { INSIDE_WORDS } from '../../ui/words/inside.ts';
import { phaseOf } from './InsideHead.tsx';

/** A prompt grows with its text up to so many lines. */
const MOST_LINES = 12;

/** Where Python is typed: Enter evaluates, Shift+Enter starts a line, the arrows bring earlier ones back. */
export function InsidePrompt({ id }: { id: string }) {
  const session = useSession();
  const name = useView(({ model }) => cellName(model, id));
  const phase = useView(({ model }) => phaseOf(model.inside[id]));
  const history = useView(({ model }) => model.inside[id]?.history);
  const asked = useView((view) => view.insideAsked);
  const live = useView(({ link }) => link.kind === 'live');
  const [text, setText] = useState('');
  /** How far back in the history it is, and what had been typed before. */
  const [back, setBack] = useState<{ readonly steps: number; readonly draft: string }>({
    steps: 0,
    draft: '',
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const canType = live && phase !== 'closed';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for, and once it can be typed in
  useEffect(() => {
    if (canType) field.current?.focus({ preventScroll: true });
  }, [asked, canType]);

  const write = (next: string): void => {
    setText(next);
    setBack({ steps: 0, draft: '' });
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
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (!has && from === text.length && needsMore(text)) write(`${text}\n${indentAfter(text)}`);
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
    <div className="inside-prompt" data-off={!canType}>
      <span className="inside-sign" aria-hidden="true">
        ›
      </span>
      <textarea
        ref={field}
        aria-label={INSIDE_WORDS.prompt(name)}
        placeholder={INSIDE_WORDS.placeholder}
        rows={Math.min(MOST_LINES, text.split('\n').length)}
        value={text}
        disabled={!canType}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={press}
      />
    </div>
  );
}

import './cellQuestion.css';
import { useEffect, useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import { WORDS } from '../words/strings.ts';
import { useSession } from './context.ts';

/** Asks before a cell and its file are deleted. */
export function DeleteConfirmation({ id }: { id: string }) {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div
      className="cell-question cell-question-row"
      role="alertdialog"
      aria-label={WORDS.deleteAsk}
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        session.askDelete(null);
      }}
    >
      <span className="cell-question-title">{WORDS.deleteAsk}</span>
      <Button kind="danger" onClick={() => void session.shape.deleteCells([id])}>
        {WORDS.deleteYes}
      </Button>
      <Button onClick={() => session.askDelete(null)}>{WORDS.cancel}</Button>
    </div>
  );
}

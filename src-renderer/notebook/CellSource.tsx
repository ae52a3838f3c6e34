import './code.css';
import { useRef } from 'react';
import type { Caret } from '../editor/LiveEditor.tsx';
import { LiveEditor } from '../editor/LiveEditor.tsx';
import { StaticCode } from '../editor/StaticCode.tsx';
import type { CellModel } from '../state/notebookModel.ts';
import { WORDS } from '../ui/strings.ts';
import { useCell, useSession } from './context.ts';

/** A code cell's text: plain or coloured until it is edited, live while it is. */
export function CellSource(props: {
  id: string;
  model: CellModel;
  source: string;
  name: string;
  editing: boolean;
}) {
  const { id, model, source, name, editing } = props;
  const session = useSession();
  const markedLine = useCell(id, (view) => (view.lineMark?.cellId === id ? view.lineMark.line : null));
  const caret = useRef<Caret | null>(null);
  if (editing) {
    return (
      <LiveEditor
        cellId={id}
        source={source}
        language={model.cell.language}
        label={name}
        caret={caret.current}
        onType={(text) => session.edits.type(id, text)}
        onBlur={() => session.edits.save(id)}
      />
    );
  }
  return (
    // The keyboard way in is Enter on the focused cell.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className="code-click"
      onClick={(event) => {
        if (window.getSelection()?.isCollapsed === false) return;
        caret.current = caretAt(event.currentTarget, event.clientX, event.clientY);
        session.focus(id, 'edit');
      }}
    >
      <StaticCode
        source={source}
        language={model.cell.language}
        markedLine={markedLine}
        placeholder={WORDS.emptyCell}
      />
    </div>
  );
}

let characterWidth: number | null = null;

/** Line and column (from 1) under the pointer: the font is monospaced and lines are 20 px. */
function caretAt(element: HTMLElement, x: number, y: number): Caret {
  const box = element.getBoundingClientRect();
  if (characterWidth === null) {
    const drawing = document.createElement('canvas').getContext('2d');
    if (drawing !== null) drawing.font = '12.5px "JetBrains Mono Variable", monospace';
    characterWidth = drawing?.measureText('0').width ?? 7.5;
  }
  const scrolled = element.querySelector('.code-text')?.scrollLeft ?? 0;
  return {
    line: Math.max(1, Math.floor((y - box.top - 6) / 20) + 1),
    column: Math.max(1, Math.round((x - box.left - 14 + scrolled) / characterWidth) + 1),
  };
}

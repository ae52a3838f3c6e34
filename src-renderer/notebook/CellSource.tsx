/** The source of a code cell: static and highlighted, or a live editor while it is edited. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import './code.css';
import { type ComponentProps, useMemo, useRef } from 'react';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { fixOf } from '../../src-shared/notebook/fixes.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { Caret } from '../editor/caret.ts';
import { type EditorFault, NO_FAULTS } from '../editor/editorFault.ts';
import { withoutFinalBreak } from '../editor/finalBreak.ts';
import { editorLanguage } from '../editor/language.ts';
import { StaticCode } from '../editor/StaticCode.tsx';
import { type ShownText, useText } from '../editor/shownText.ts';
import { spanOf } from '../state/faults.ts';
import { knownNames } from '../state/knownNames.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { codeFont } from '../theme/theme.ts';
import { CELL_WORDS } from '../words/cell.ts';
import { WORDS } from '../words/strings.ts';
import { CellEditor } from './CellEditor.tsx';
import { useCell, useSession } from './context.ts';
import { pythonContextOf } from './python/pythonContextOf.ts';
import { SlashMenu } from './slash/SlashMenu.tsx';
import { slashQuery } from './slash/slashItems.ts';
import { sqlContextOf } from './sqlContextOf.ts';
import { useShownText } from './useShownText.ts';

/** The text of a code cell: static with highlighting, or a live editor while it is edited. */
export function CellSource(props: {
  id: string;
  model: CellModel;
  name: string;
  editing: boolean;
  /** Whether the pointer or the focus is at this cell. */
  touched: boolean;
}) {
  const { id, model, name, editing, touched } = props;
  const session = useSession();
  const text = useShownText(id);
  const markedLine = useCell(id, (view) => (view.lineMark?.cellId === id ? view.lineMark.line : null));
  const faults = useFaults(model.cell);
  const language = useEditorLanguage(id, model.cell);
  const caret = useRef<Caret | null>(null);
  if (editing) {
    return (
      <>
        <CellEditor
          cellId={id}
          text={text}
          language={language}
          // While a slash is typed, the slash menu makes the offers.
          names={() => (isAsking(text) ? [] : knownNames(session.store.getState().model, id))}
          sql={() => (isAsking(text) ? null : sqlContextOf(session, id))}
          python={() => (isAsking(text) ? null : pythonContextOf(session, id))}
          suggest={async (place, signal) =>
            isAsking(text) ? '' : await session.suggestions.at(id, place, signal)
          }
          label={name}
          caret={caret.current}
          faults={faults}
        />
        <SlashMenu cellId={id} text={text} />
      </>
    );
  }
  return (
    // With the keyboard, Enter on the focused cell starts editing.
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
      <StillCode
        text={text}
        language={language}
        markedLine={markedLine}
        placeholder={WORDS.emptyCell}
        scrolls={touched}
        label={CELL_WORDS.code(name)}
        faults={faults}
      />
    </div>
  );
}

function isAsking(text: ShownText): boolean {
  return slashQuery(withoutFinalBreak(text.now())) !== null;
}

function StillCode({
  text,
  ...code
}: { text: ShownText } & Omit<ComponentProps<typeof StaticCode>, 'source'>) {
  return <StaticCode source={useText(text)} {...code} />;
}

/** SQL is highlighted for the database of the cell's connection. */
function useEditorLanguage(id: string, { language, source }: Cell): string {
  const connection = useMemo(
    () => (LANGUAGES[language].connects ? parseAnnotations(source, language).sql.connection : null),
    [language, source],
  );
  const driver = useCell(id, ({ model }) => {
    const value = model.meta?.connections.find(({ name }) => name === connection)?.['driver'];
    return typeof value === 'string' ? value : null;
  });
  return editorLanguage(language, driver);
}

/** The marks in the text. The same array is returned while the diagnostics are unchanged. */
function useFaults(cell: Cell): readonly EditorFault[] {
  const { annotation_diagnostics: all, defines, references } = cell;
  return useMemo(() => {
    if (all.length === 0) return NO_FAULTS;
    return all.flatMap((fault): EditorFault[] => {
      const { line, severity, message } = fault;
      if (line === null) return [];
      const span: EditorFault['span'] = (text) => spanOf(text, fault);
      return [
        { line, severity, message, span, fix: (text) => textFixOf(text, fault, { defines, references }) },
      ];
    });
  }, [all, defines, references]);
}

/** Line and column (from 1) under the pointer, computed from the monospaced font in the chosen size. */
function caretAt(element: HTMLElement, x: number, y: number): Caret {
  const box = element.getBoundingClientRect();
  const { size, lineHeight } = codeFont();
  const drawing = document.createElement('canvas').getContext('2d');
  if (drawing !== null) drawing.font = `${size}px "JetBrains Mono Variable", monospace`;
  const characterWidth = drawing?.measureText('0').width ?? size * 0.6;
  const text = element.querySelector('.code-text');
  const scrolled = text?.scrollLeft ?? 0;
  const paddingLeft = text === null ? 14 : Number.parseFloat(getComputedStyle(text).paddingLeft);
  return {
    line: Math.max(1, Math.floor((y - box.top - 6) / lineHeight) + 1),
    column: Math.max(1, Math.round((x - box.left - paddingLeft + scrolled) / characterWidth) + 1),
  };
}

/** The quick fix, if it only changes text. A fix that installs a package is offered below the text instead. */
function textFixOf(...of: Parameters<typeof fixOf>): ReturnType<typeof fixOf> {
  const fix = fixOf(...of);
  return fix?.adds === undefined ? fix : null;
}

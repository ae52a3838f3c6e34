import { useMemo } from 'react';
import { NO_FAULTS } from '../../editor/editorFault.ts';
import { LiveEditor } from '../../editor/LiveEditor.tsx';
import { StaticCode } from '../../editor/StaticCode.tsx';
import { type ShownText, useText } from '../../editor/shownText.ts';
import { shownTests } from '../../state/cellTests.ts';
import { TEST_WORDS as W } from '../../words/tests.ts';
import { useCell, useSession } from '../context.ts';

/** The text of a cell's tests: static, or a live editor while it is edited. */
export function TestCode({ id, name }: { id: string; name: string }) {
  const session = useSession();
  const edit = useCell(id, (view) => (view.editingTests?.cellId === id ? view.editingTests : null));
  const { store, watchCell } = session;
  const text = useMemo(
    (): ShownText => ({
      now: () => shownTests(store.getState(), id),
      watch: (listener) => watchCell(id, listener),
    }),
    [store, watchCell, id],
  );
  if (edit !== null) {
    return (
      <div className="test-code">
        <LiveEditor
          key={edit.entered}
          cellId={`tests of ${id}`}
          text={text}
          language="python"
          label={W.editor(name)}
          caret={edit.line === null ? null : { line: edit.line, column: 1 }}
          onType={(typed) => session.tests.type(id, typed)}
          onBlur={() => void session.tests.save(id)}
        />
      </div>
    );
  }
  return (
    // With the keyboard, a command opens the editor.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className="test-code code-click"
      onClick={() => {
        if (window.getSelection()?.isCollapsed !== false) session.tests.edit(id);
      }}
    >
      <StillTests text={text} name={name} />
    </div>
  );
}

function StillTests({ text, name }: { text: ShownText; name: string }) {
  return (
    <StaticCode
      source={useText(text)}
      language="python"
      markedLine={null}
      placeholder={W.placeholder}
      scrolls
      label={W.editor(name)}
      faults={NO_FAULTS}
    />
  );
}

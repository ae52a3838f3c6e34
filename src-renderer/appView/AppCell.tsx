/**
 * One cell of an app view (the notebook without its code): its controls, its text or its results, and its code where
 * the layout shows it.
 */

import { memo } from 'react';
import '../notebook/code.css';
import { isOutdated, lacksResult, showsCode } from '../../src-shared/notebook/app/inApp.ts';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { editorLanguage } from '../editor/language.ts';
import { StaticCode } from '../editor/StaticCode.tsx';
import { appLayoutOf } from '../live/appLayout.ts';
import { useCellParts, useView } from '../notebook/context.ts';
import { useMarkdownContext } from '../notebook/useMarkdownContext.ts';
import { WidgetControls } from '../notebook/widget/WidgetControls.tsx';
import { MarkdownView } from '../outputs/MarkdownView.tsx';
import { OutputView } from '../outputs/OutputView.tsx';
import { APP_WORDS } from '../words/appLayout.ts';
import { WIDGET_WORDS } from '../words/widget.ts';
import { partName } from './arrange/partName.ts';

const W = WIDGET_WORDS.app;
const NO_FAULTS: readonly never[] = [];

/** One part of an app view. While a result is recomputed, the old one stays in place, dimmed, so that nothing jumps. */
export const AppCell = memo(function AppCell({ id }: { id: string }) {
  const { model, sessionId, name } = useCellParts(id, (view) => ({
    model: view.model.cells[id],
    sessionId: view.sessionId,
    name: partName(view.model, id),
  }));
  if (model === undefined) return null;
  const { cell } = model;
  const isRunning = cell.status === 'running';
  const { runs, hasControls } = LANGUAGES[cell.language];
  return (
    <section
      className={isOutdated(cell) ? 'app-cell app-old' : 'app-cell'}
      aria-label={name}
      aria-busy={isRunning}
      data-app-cell={id}
      tabIndex={-1}
    >
      <AppCode cell={cell} name={name} />
      {!runs ? <AppText text={cell.source} /> : null}
      {hasControls ? <WidgetControls id={id} cell={cell} name={name} /> : null}
      {lacksResult(cell) ? <p className="app-missing">{APP_WORDS.noResult}</p> : null}
      {cell.error === null ? (
        cell.display_outputs.map((output, index) => (
          <OutputView
            // biome-ignore lint/suspicious/noArrayIndexKey: a display is identified only by its position
            key={index}
            output={output}
            cellName={name}
            sessionId={sessionId}
            cellId={id}
            index={index}
          />
        ))
      ) : (
        <p className="app-failed" role="alert">
          {W.failed} {cell.error.trimEnd().split('\n').at(-1)}
        </p>
      )}
      {isRunning ? <span className="app-running" role="img" aria-label={W.running(name)} /> : null}
    </section>
  );
});

function AppText({ text }: { text: string }) {
  return <MarkdownView text={text} around={useMarkdownContext(text)} />;
}

/** The code of a cell, where the layout shows it. */
function AppCode({ cell, name }: { cell: Cell; name: string }) {
  const isShown = useView((view) => showsCode(cell, appLayoutOf(view)));
  if (!isShown) return null;
  return (
    <div className="app-code">
      <StaticCode
        source={cell.source}
        language={editorLanguage(cell.language)}
        markedLine={null}
        placeholder=""
        scrolls
        label={name}
        faults={NO_FAULTS}
      />
    </div>
  );
}

/** The results of a cell below its source: console, error and displays. */

import { memo, type ReactNode, useCallback } from 'react';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Output } from '../../src-shared/wire/output.ts';
import { ConsoleView } from '../outputs/console/ConsoleView.tsx';
import { ErrorView } from '../outputs/ErrorView.tsx';
import { OutputView } from '../outputs/OutputView.tsx';
import { holdsOtherFrames, shownVariable } from '../outputs/table/code/codeOf.ts';
import { exportNameOf } from '../outputs/table/exportName.ts';
import type { CellPlace } from '../outputs/traceback.ts';
import { cellName } from '../state/cellName.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { type ShownError, shownError } from '../state/shownError.ts';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { WORDS } from '../words/strings.ts';
import { useCell, useSession } from './context.ts';
import { FixWithAssistant } from './FixWithAssistant.tsx';
import { InstallLacking, InstallMissing } from './InstallMissing.tsx';
import { MutationWarnings } from './MutationWarnings.tsx';
import { AnswerStream } from './prompt/AnswerStream.tsx';
import { ModelActions } from './prompt/ModelActions.tsx';
import { saysOnlyUsage, UsageLine } from './prompt/UsageLine.tsx';

/** The results of a run: console, error, displays. */
export const CellOutputs = memo(function CellOutputs({ id, model }: { id: string; model: CellModel }) {
  const session = useSession();
  const sessionId = useCell(id, (view) => view.sessionId);
  const name = useCell(id, (view) => cellName(view.model, id));
  const { cell } = model;
  const saveAs = exportNameOf({ ...cell, name: cell.annotations.name });
  const error = shownError(cell);
  // The offer to install a package is shown once, at the last table that needs it.
  const lacking = cell.display_outputs.findLastIndex(({ lacks }) => lacks !== undefined);
  const variable = shownVariable(cell);
  const isPandas = useCallback(
    () => !holdsOtherFrames(Object.values(session.store.getState().model.cells)),
    [session],
  );
  const insertCell = useCallback(
    (cell: { readonly language: 'python' | 'sql'; readonly source: string }): void =>
      void session.shape.addCell({ afterId: id, ...cell }),
    [session, id],
  );
  const showPlace = (place: CellPlace): void => {
    const { model: notebook } = session.store.getState();
    const target =
      notebook.cells[place.cell] !== undefined
        ? place.cell
        : notebook.order.find((other) => cellName(notebook, other) === place.cell);
    session.markLine({ cellId: target ?? id, line: place.line });
  };
  // Frames name cells without a `@name` by id; the message shows the name on their card.
  const nameOf = (idOrName: string): string => {
    const { model: notebook } = session.store.getState();
    return notebook.cells[idOrName] === undefined ? idOrName : cellName(notebook, idOrName);
  };
  return (
    <>
      {cell.imported === true ? <div className="output-imported">{OUTPUT_WORDS.imported}</div> : null}
      <ConsoleView console={model.stdout} stream="stdout" logOf={{ sessionId, cellId: id }} />
      {saysOnlyUsage(model) ? null : (
        <ConsoleView console={model.stderr} stream="stderr" logOf={{ sessionId, cellId: id }} />
      )}
      {model.answer === null ? null : <AnswerStream answer={model.answer} />}
      {error === null ? null : (
        <>
          {whoseError(error)}
          <ErrorView
            error={error.text}
            failure={model.failure}
            nameOf={nameOf}
            onPlace={showPlace}
            isProse={LANGUAGES[cell.language].asksModel}
          >
            <InstallMissing cellId={id} error={error.text} />
            <FixWithAssistant cellId={id} error={error.text} />
            {LANGUAGES[cell.language].asksModel ? <ModelActions /> : null}
          </ErrorView>
        </>
      )}
      {error !== null
        ? null
        : byVariant(cell.display_outputs).map(({ variant, outputs }) => {
            const outputViews = outputs.map(({ output, index }) => (
              <div className="output" key={index}>
                <OutputView
                  output={output}
                  cellName={name}
                  saveAs={saveAs}
                  variable={variable}
                  isPandas={isPandas}
                  insertCell={insertCell}
                  sessionId={sessionId}
                  cellId={id}
                  index={index}
                />
                {index === lacking && output.lacks !== undefined ? (
                  <InstallLacking cellId={id} name={output.lacks} />
                ) : null}
                {output.usage === undefined ? null : <UsageLine usage={output.usage} />}
              </div>
            ));
            return variant === null ? (
              outputViews
            ) : (
              <section
                className="variant-output"
                key={variant}
                aria-label={variant}
                data-variant-output={variant}
              >
                <div className="variant-output-name" aria-hidden="true">
                  {variant}
                </div>
                {outputViews}
              </section>
            );
          })}
      <MutationWarnings id={id} warnings={model.mutationWarnings} />
    </>
  );
});

/** Which run an error belongs to, unless it is the last one and the code has not changed. */
function whoseError({ past, older }: ShownError): ReactNode {
  if (!past && !older) return null;
  const words = !past ? WORDS.olderError : older ? WORDS.olderPastError : WORDS.pastError;
  return <div className="error-quiet">{words}</div>;
}

interface Shown {
  readonly output: Output;
  /** The index of the display in the run, by which it is requested. */
  readonly index: number;
}

/** The displays of a cell that runs once per variant, grouped by variant. */
function byVariant(
  displays: readonly Output[],
): readonly { readonly variant: string | null; readonly outputs: readonly Shown[] }[] {
  const groups: { variant: string | null; outputs: Shown[] }[] = [];
  for (const [index, output] of displays.entries()) {
    const variant = output.variant ?? null;
    const last = groups.at(-1);
    if (last !== undefined && last.variant === variant) last.outputs.push({ output, index });
    else groups.push({ variant, outputs: [{ output, index }] });
  }
  return groups;
}

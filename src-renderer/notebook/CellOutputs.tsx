import { memo } from 'react';
import { ConsoleView } from '../outputs/console/ConsoleView.tsx';
import { ErrorView } from '../outputs/ErrorView.tsx';
import { OutputView } from '../outputs/OutputView.tsx';
import type { CellPlace } from '../outputs/traceback.ts';
import { cellName } from '../state/cellName.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { useCell, useSession } from './context.ts';

/** What a run left: console, error, displays. */
export const CellOutputs = memo(function CellOutputs({ id, model }: { id: string; model: CellModel }) {
  const session = useSession();
  const sessionId = useCell(id, (view) => view.sessionId);
  const { cell } = model;
  const showPlace = (place: CellPlace): void => {
    const { model: notebook } = session.store.getState();
    const target =
      notebook.cells[place.cell] !== undefined
        ? place.cell
        : notebook.order.find((other) => cellName(notebook, other) === place.cell);
    session.markLine({ cellId: target ?? id, line: place.line });
  };
  return (
    <>
      <ConsoleView console={model.stdout} stream="stdout" logOf={{ sessionId, cellId: id }} />
      <ConsoleView console={model.stderr} stream="stderr" logOf={{ sessionId, cellId: id }} />
      {cell.error === null ? null : (
        <ErrorView error={cell.error} failure={model.failure} onPlace={showPlace} />
      )}
      {cell.error !== null
        ? null
        : cell.display_outputs.map((output, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a display is its place in the run
            <div className="output" key={index}>
              <OutputView output={output} sessionId={sessionId} cellId={id} index={index} />
            </div>
          ))}
      {model.mutationWarnings.map((warning) => (
        <div className="error-quiet" key={warning.var_name}>
          {warning.message} {warning.suggestion}
        </div>
      ))}
    </>
  );
});

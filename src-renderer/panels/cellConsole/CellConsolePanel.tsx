/** The panel of consoles inside cells, in which Python is evaluated with the values of a cell. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import './cellConsole.css';
import { Microscope } from 'lucide-react';
import { useSession, useView, useViewParts } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { CELL_CONSOLE_WORDS } from '../../words/cellConsole.ts';
import { CellConsoleHead } from './CellConsoleHead.tsx';
import { CellConsoleLog } from './CellConsoleLog.tsx';
import { CellConsolePrompt } from './CellConsolePrompt.tsx';

/** Consoles inside cells, to try things with the values of a cell. Several may be open; one is shown. */
export function CellConsolePanel() {
  const shownId = useView(({ shownConsoleId, model }) =>
    shownConsoleId !== null && model.cellConsoles[shownConsoleId] !== undefined ? shownConsoleId : null,
  );
  if (shownId === null) return <NothingOpen />;
  return (
    <section className="cell-console" data-cell-console={shownId}>
      <CellConsoleHead id={shownId} />
      <CellConsoleLog key={shownId} id={shownId} />
      <CellConsolePrompt key={`prompt ${shownId}`} id={shownId} />
    </section>
  );
}

function NothingOpen() {
  const session = useSession();
  const { id, name } = useViewParts(({ focusedId, model }) => {
    const cell = focusedId === null ? undefined : model.cells[focusedId]?.cell;
    const has = cell !== undefined && LANGUAGES[cell.language].runs && model.meta?.untrusted === undefined;
    return { id: has ? focusedId : null, name: has ? cellName(model, focusedId ?? '') : '' };
  });
  return (
    <EmptyState
      size="s"
      icon={<Microscope />}
      title={CELL_CONSOLE_WORDS.nothing}
      actions={
        id === null ? undefined : (
          <Button onClick={() => session.consoles.look(id)}>{CELL_CONSOLE_WORDS.lookInto(name)}</Button>
        )
      }
    >
      {CELL_CONSOLE_WORDS.nothingText}
      {id === null ? ` ${CELL_CONSOLE_WORDS.nothingSelected}` : ''}
    </EmptyState>
  );
}

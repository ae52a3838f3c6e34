/** The header of the Console panel (a console inside a cell): the cell, the console's state and its buttons. */

import { RotateCcw, Square, X } from 'lucide-react';
import { storedResultKey } from '../../live/consoleActions.ts';
import { useSession, useView, useViewSame } from '../../notebook/context.ts';
import { type CellConsole, isBusy } from '../../state/cellConsole.ts';
import { cellName } from '../../state/cellName.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { CELL_CONSOLE_WORDS } from '../../words/cellConsole.ts';

type ConsolePhase = keyof typeof CELL_CONSOLE_WORDS.state;

export function phaseOf(cellConsole: CellConsole | undefined): ConsolePhase {
  if (cellConsole === undefined) return 'closed';
  if (cellConsole.state !== 'ready') return cellConsole.state;
  if (!isBusy(cellConsole)) return 'ready';
  return cellConsole.stopping ? 'stopping' : 'busy';
}

/** The cell of the console, its state, and its buttons. */
export function CellConsoleHead({ id }: { id: string }) {
  const session = useSession();
  const phase = useView(({ model }) => phaseOf(model.cellConsoles[id]));
  const live = useView(({ link }) => link.kind === 'live');
  const hasRun = useView((view) => {
    const cellConsole = view.model.cellConsoles[id];
    return cellConsole?.state === 'ready' && cellConsole.storedAs !== storedResultKey(view, id);
  });
  const works = phase === 'starting' || phase === 'busy' || phase === 'stopping';
  return (
    <header className="cell-console-head">
      <Which id={id} />
      <span
        className={`cell-console-state cell-console-${phase}`}
        role="status"
        data-cell-console-state={phase}
      >
        {works ? <Spinner /> : null}
        {CELL_CONSOLE_WORDS.state[phase]}
      </span>
      {hasRun ? <span className="cell-console-has-run">{CELL_CONSOLE_WORDS.hasRun}</span> : null}
      <span className="grow" />
      <Button
        icon={<Square aria-hidden="true" />}
        disabled={phase !== 'busy' || !live}
        onClick={() => session.consoles.stop(id)}
      >
        {CELL_CONSOLE_WORDS.stop}
      </Button>
      <Button
        icon={<RotateCcw aria-hidden="true" />}
        title={CELL_CONSOLE_WORDS.overHint}
        disabled={!live || phase === 'starting'}
        onClick={() => session.consoles.startOver(id)}
      >
        {CELL_CONSOLE_WORDS.over}
      </Button>
      <Button title={CELL_CONSOLE_WORDS.clearHint} onClick={() => session.consoles.clear(id)}>
        {CELL_CONSOLE_WORDS.clear}
      </Button>
      <Button
        icon={<X aria-hidden="true" />}
        title={CELL_CONSOLE_WORDS.closeHint}
        onClick={() => session.consoles.close(id)}
      >
        {CELL_CONSOLE_WORDS.close}
      </Button>
    </header>
  );
}

/** The cell's name, or a choice if several consoles are open. */
function Which({ id }: { id: string }) {
  const session = useSession();
  const options = useViewSame(
    ({ model }) =>
      Object.keys(model.cellConsoles).map((one) => ({ value: one, label: cellName(model, one) })),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  if (options.length < 2) return <b className="cell-console-name">{options[0]?.label}</b>;
  return (
    <Select
      label={CELL_CONSOLE_WORDS.which}
      hideLabel
      value={id}
      options={options}
      onChange={(one) => session.consoles.look(one)}
    />
  );
}

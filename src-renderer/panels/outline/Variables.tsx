import { useState } from 'react';
import { useSession, useViewSame } from '../../notebook/context.ts';
import { sameVariables, type VariableRow, variableRows } from '../../state/outline.ts';
import { WORKBENCH } from '../../ui/words/workbench.ts';
import { useShapes } from './useShapes.ts';

/** Shown at once; more are asked for. */
const FEW = 40;

/** What the cells have computed, with the shape of it; a click goes to the cell that made it. */
export function Variables() {
  const rows = useViewSame((view) => variableRows(view.model), sameVariables);
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, FEW);
  const shapes = useShapes(shown);
  return (
    <section className="panel-section variables">
      <h3>{WORKBENCH.variables}</h3>
      {rows.length === 0 ? <p className="panel-quiet">{WORKBENCH.variablesEmpty}</p> : null}
      <ul className="plain-list">
        {shown.map((row) => (
          <Variable key={row.name} row={row} shape={shapes.get(row.name) ?? ''} />
        ))}
      </ul>
      {rows.length > FEW ? (
        <button type="button" className="link-btn" onClick={() => setAll(!all)}>
          {all ? WORKBENCH.fewerVariables : WORKBENCH.allVariables(rows.length)}
        </button>
      ) : null}
    </section>
  );
}

function Variable({ row, shape }: { row: VariableRow; shape: string }) {
  const session = useSession();
  return (
    <li>
      <button type="button" className="variable" onClick={() => session.focus(row.cellId)}>
        <span className="variable-name">{row.name}</span>
        <span className="variable-shape">{shape}</span>
      </button>
    </li>
  );
}

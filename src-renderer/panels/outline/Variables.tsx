import { useState } from 'react';
import { useSession, useViewSame } from '../../notebook/context.ts';
import { sameVariables, type VariableRow, variableRows } from '../../state/outline.ts';
import { WORKBENCH } from '../../words/workbench.ts';
import { useShapes } from './useShapes.ts';

/** Shown at first; the rest on request. */
const FEW = 40;

/** What the cells have computed, with the shape of it; a click goes to the cell that made it. */
export function Variables() {
  const rows = useViewSame((view) => variableRows(view.model), sameVariables);
  const [all, setAll] = useState(false);
  const shapes = useShapes(rows);
  // A name that no cell reads (an import, a constant) is not stored: only its name can be shown.
  const isKept = ({ name, uri }: VariableRow): boolean => uri !== null || shapes.get(name) !== '';
  const described = rows.filter(isKept);
  const others = rows.filter((row) => !isKept(row)).map(({ name }) => name);
  const shown = all ? described : described.slice(0, FEW);
  return (
    <section className="panel-section variables">
      <h3>{WORKBENCH.variables}</h3>
      {rows.length === 0 ? <p className="panel-quiet">{WORKBENCH.variablesEmpty}</p> : null}
      {shown.length === 0 ? null : (
        <ul className="plain-list">
          {shown.map((row) => (
            <Variable key={row.name} row={row} shape={shapes.get(row.name) ?? ''} />
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <p className="panel-quiet variables-others" title={others.join(', ')}>
          {WORKBENCH.otherNames(others.slice(0, FEW).join(', '))}
        </p>
      )}
      {described.length > FEW ? (
        <button type="button" className="link-btn" onClick={() => setAll(!all)}>
          {all ? WORKBENCH.fewerVariables : WORKBENCH.allVariables(described.length)}
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

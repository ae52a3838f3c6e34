/**
 * Lists the cells that an app view leaves out, each with the reason and a button that adds it; shown while the layout
 * is edited.
 */

import './edit.css';
import { Eye } from 'lucide-react';
import { useId } from 'react';
import { whyExcluded } from '../../../src-shared/notebook/app/inApp.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import { useSession, useViewSame } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import type { AppParts } from '../arrange/appParts.ts';
import { partName } from '../arrange/partName.ts';

/** The cells that are not in the app, each with the reason and a button that adds it. */
export function ExcludedCells({ left }: { left: AppParts['left'] }) {
  const session = useSession();
  const heading = useId();
  const names = useViewSame(
    ({ model }) => left.map(({ id }) => partName(model, id)),
    (a, b) => a.length === b.length && a.every((name, at) => name === b[at]),
  );
  if (left.length === 0) return null;
  const show = (id: string): void => {
    const view = session.store.getState();
    const cell = view.model.cells[id]?.cell;
    if (cell === undefined) return;
    const { shown: _said, ...placement } = appLayoutOf(view).cells[id] ?? {};
    // A cell that is in the app by default needs no entry.
    const showInApp = whyExcluded(cell, placement) === null ? null : true;
    void session.appLayouts.change({ cells: { [id]: { shown: showInApp } } });
  };
  return (
    <section className="app-left" aria-labelledby={heading}>
      <h2 id={heading}>{W.left}</h2>
      <p className="app-note">{W.leftHint}</p>
      <ul>
        {left.map(({ id, why }, at) => (
          <li key={id}>
            <span className="app-left-name">{names[at]}</span>
            <span className="app-left-why">{W.why[why]}</span>
            {why === 'annotation' ? null : (
              <Button
                icon={<Eye aria-hidden="true" />}
                aria-label={W.show(names[at] ?? '')}
                onClick={() => show(id)}
              >
                {W.showWord}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

import { Fragment } from 'react';
import { useView } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { type SharedSymbol, sharedSymbols } from '../../state/sharedNames.ts';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';
import { CellLinks } from './CellFacts.tsx';

/**
 * Lists in the inspector the functions and classes that a cell shares with other cells, and the cells that use them.
 */
export function SharedCode({ model: { cell } }: { model: CellModel }) {
  const symbols = useView((view) => JSON.stringify(sharedSymbols(view.model, cell)));
  // Selected as JSON text, so that the view is compared by content.
  const shared = JSON.parse(symbols) as readonly SharedSymbol[];
  if (shared.length === 0) return null;
  return (
    <section className="panel-section">
      <h3>{INSPECTOR_WORDS.shares}</h3>
      <dl className="inputs">
        {shared.map(({ name, kind, readers }) => (
          <Fragment key={name}>
            <dt title={name}>{name}</dt>
            <dd>
              {kind} ·{' '}
              {readers.length === 0 ? INSPECTOR_WORDS.unused : <CellLinks ids={readers} label={name} />}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** Panel of consoles inside cells. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import './inside.css';
import { Microscope } from 'lucide-react';
import { useSession, useView, useViewParts } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { INSIDE_WORDS } from '../../words/inside.ts';
import { InsideHead } from './InsideHead.tsx';
import { InsideLog } from './InsideLog.tsx';
import { InsidePrompt } from './InsidePrompt.tsx';

/** Consoles inside cells, to try things with the values of a cell. Several may be open; one is shown. */
export function InsidePanel() {
  const shownId = useView(({ insideId, model }) =>
    insideId !== null && model.inside[insideId] !== undefined ? insideId : null,
  );
  if (shownId === null) return <NothingOpen />;
  return (
    <section className="inside" data-inside={shownId}>
      <InsideHead id={shownId} />
      <InsideLog key={shownId} id={shownId} />
      <InsidePrompt key={`prompt ${shownId}`} id={shownId} />
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
      title={INSIDE_WORDS.nothing}
      actions={
        id === null ? undefined : (
          <Button onClick={() => session.consoles.look(id)}>{INSIDE_WORDS.lookInto(name)}</Button>
        )
      }
    >
      {INSIDE_WORDS.nothingText}
      {id === null ? ` ${INSIDE_WORDS.nothingSelected}` : ''}
    </EmptyState>
  );
}

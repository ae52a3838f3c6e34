/** Quick open: a dialog that goes to a cell, variable, heading, line or another notebook by part of its name. */

import { Command as Pick } from 'cmdk';
import { Code, Hash, Heading, NotebookText, TextSearch } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSession, useView } from '../notebook/context.ts';
import { openHash } from '../router.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import { PickDialog } from './PickDialog.tsx';
import type { QuickOpenTarget } from './quickOpenTargets.ts';
import { matchingTargets, quickOpenTargets } from './quickOpenTargets.ts';

export type RecentNotebooks = () => readonly { readonly path: string; readonly name: string }[];

const KINDS: Readonly<
  Record<QuickOpenTarget['kind'], { readonly heading: string; readonly icon: typeof Code }>
> = {
  cell: { heading: W.goCells, icon: Code },
  variable: { heading: W.goVariables, icon: Hash },
  heading: { heading: W.goHeadings, icon: Heading },
  source: { heading: W.goSource, icon: TextSearch },
  notebook: { heading: W.goNotebooks, icon: NotebookText },
};

/** Goes to a cell, variable, heading, line or another notebook by part of its name. */
export function QuickOpen({ recents, onClose }: { recents: RecentNotebooks; onClose: () => void }) {
  const session = useSession();
  const [query, setQuery] = useState('');
  // The dialog may open before the notebook has loaded, so the places are computed again when the cells change.
  const order = useView((view) => view.model.order);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places change with the order
  const all = useMemo(() => quickOpenTargets(session.store.getState(), recents()), [session, recents, order]);
  const places = useMemo(() => matchingTargets(session.store.getState(), all, query), [session, all, query]);
  const kinds = (Object.keys(KINDS) as QuickOpenTarget['kind'][]).filter((kind) => places[kind].length > 0);
  const go = ({ cellId, line, path }: QuickOpenTarget): void => {
    onClose();
    if (path !== null) window.location.hash = openHash(path);
    else if (cellId !== null && line !== null) session.markLine({ cellId, line });
    else if (cellId !== null) session.focus(cellId, 'command');
  };
  return (
    <PickDialog
      title={W.quickOpen}
      placeholder={W.quickOpenPlaceholder}
      query={query}
      onQuery={setQuery}
      onClose={onClose}
    >
      {kinds.length === 0 ? <Pick.Empty className="pick-empty">{W.quickOpenEmpty}</Pick.Empty> : null}
      {kinds.map((kind) => (
        <Pick.Group key={kind} heading={KINDS[kind].heading}>
          {places[kind].map((place) => (
            <Row key={place.key} place={place} onChoose={go} />
          ))}
        </Pick.Group>
      ))}
    </PickDialog>
  );
}

function Row({ place, onChoose }: { place: QuickOpenTarget; onChoose: (place: QuickOpenTarget) => void }) {
  const { icon: Icon } = KINDS[place.kind];
  const isCode = place.kind === 'source' || place.kind === 'variable';
  return (
    <Pick.Item className="pick-row" value={place.key} onSelect={() => onChoose(place)}>
      <Icon aria-hidden="true" />
      <span className={isCode ? 'pick-label pick-code' : 'pick-label'}>{place.label}</span>
      <span className="pick-detail">{place.detail}</span>
      {place.line === null ? null : <span className="pick-why">{W.line(place.line)}</span>}
    </Pick.Item>
  );
}

/** Shows the other people who have the notebook open, in its header. */

import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { otherPlaces } from '../../state/presence.ts';
import { WORKBENCH } from '../../words/workbench.ts';

/** The most discs that are shown; the number of further people follows. */
const FEW = 5;

/** Other people who have this notebook open, one disc each; a click goes to the cell they are at. */
export function Presence() {
  const session = useSession();
  const places = useView((view) => view.model.presence);
  const model = useView((view) => view.model.order);
  const others = otherPlaces(places);
  if (others.length === 0) return null;
  const { model: notebook } = session.store.getState();
  return (
    // biome-ignore lint/a11y/useSemanticElements: discs beside each other, no list to read
    <span className="avatars" role="group" aria-label={WORKBENCH.presence} data-cells={model.length}>
      {others.slice(0, FEW).map((place, at) => {
        const name = place.name ?? WORKBENCH.someoneElse;
        const cell = place.cellId === null ? null : cellName(notebook, place.cellId);
        const label = WORKBENCH.otherTab(name, cell);
        return (
          <button
            key={place.key}
            type="button"
            className={`avatar avatar-${at % 4}`}
            aria-label={label}
            title={label}
            disabled={place.cellId === null}
            onClick={() => session.focus(place.cellId)}
          >
            {name.slice(0, 1).toUpperCase()}
          </button>
        );
      })}
      {others.length <= FEW ? null : (
        <span className="avatars-more" title={WORKBENCH.moreOthers(others.length - FEW)}>
          <span aria-hidden="true">+{others.length - FEW}</span>
          <span className="visually-hidden">{WORKBENCH.moreOthers(others.length - FEW)}</span>
        </span>
      )}
    </span>
  );
}

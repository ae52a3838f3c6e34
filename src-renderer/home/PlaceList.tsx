/** One list of notebooks on the first page, with its heading. */

import { type ReactNode, useState } from 'react';
import { HOME_WORDS } from '../words/home.ts';
import type { NotebookPlace } from './notebookPlace.ts';
import { type PlaceActions, PlaceRow } from './PlaceRow.tsx';

/** The most rows shown before "Show all" is clicked. */
const SHORT = 8;

/** A list of notebooks with its heading; renders nothing if the list is empty. */
export function PlaceList(props: {
  title: string;
  places: readonly NotebookPlace[];
  now: number;
  actions: PlaceActions;
  /** Whether all rows are shown without a "Show all" button, as for search results. */
  whole: boolean;
  /** Shown beside the heading. */
  after?: ReactNode;
}) {
  const { title, places, now, actions, whole, after } = props;
  const [all, setAll] = useState(false);
  if (places.length === 0) return null;
  const cut = !whole && !all && places.length > SHORT + 2;
  return (
    <section className="places">
      <header className="places-head">
        <h2>{title}</h2>
        <span className="places-count">{places.length > 3 ? places.length : null}</span>
        <span className="grow" />
        {after}
      </header>
      <ul className="places-list">
        {(cut ? places.slice(0, SHORT) : places).map((place) => (
          <PlaceRow key={place.path} place={place} now={now} actions={actions} />
        ))}
      </ul>
      {cut || (all && !whole && places.length > SHORT + 2) ? (
        <button type="button" className="home-text-btn" onClick={() => setAll(!all)}>
          {cut ? HOME_WORDS.showAll(places.length) : HOME_WORDS.showFewer}
        </button>
      ) : null}
    </section>
  );
}

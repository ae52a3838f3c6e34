import { ChevronDown, ChevronRight } from 'lucide-react';
import { foldSection, sectionOf } from '../state/sections.ts';
import { CELL_WORDS as W } from '../words/cell.ts';
import { useSession, useView } from './context.ts';

/** Button that folds or unfolds the section that a text cell's heading starts; renders nothing if it starts none. */
export function SectionFold({ id }: { id: string }) {
  const { store } = useSession();
  const count = useView((view) => sectionOf(view, id).length);
  const isFolded = useView((view) => view.foldedSections[id] === true);
  if (count === 0) return null;
  const Icon = isFolded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      className={isFolded ? 'section-fold section-folded' : 'section-fold'}
      aria-expanded={!isFolded}
      aria-label={isFolded ? W.unfoldSection(count) : W.foldSection(count)}
      onClick={() => foldSection(store, id, !isFolded)}
    >
      <Icon aria-hidden="true" />
      {isFolded ? <span>{W.folded(count)}</span> : null}
    </button>
  );
}

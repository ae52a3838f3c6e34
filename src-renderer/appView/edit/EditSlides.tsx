import { appLayoutOf } from '../../live/appLayout.ts';
import { useView } from '../../notebook/context.ts';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import { AppPart } from '../AppPart.tsx';
import { slidesOf } from '../arrange/slides.ts';

/** All slides of an app below one another, to group their cells. */
export function EditSlides({ ids }: { ids: readonly string[] }) {
  const slides = slidesOf(ids, useView(appLayoutOf));
  return (
    <ol className="app-cells app-slide-list">
      {slides.map((cells, index) => (
        <li key={cells[0]} className="app-slide-edited" aria-label={W.slide(index + 1, slides.length)}>
          <span className="app-slide-number" aria-hidden="true">
            {index + 1}
          </span>
          {cells.map((id) => (
            <AppPart key={id} id={id} kind="slides" editing />
          ))}
        </li>
      ))}
    </ol>
  );
}

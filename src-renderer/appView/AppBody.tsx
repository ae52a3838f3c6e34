import type { AppKind } from '../../src-shared/wire/appLayout.ts';
import { AppGrid } from './AppGrid.tsx';
import { AppPart } from './AppPart.tsx';
import { AppSlides } from './AppSlides.tsx';
import { AppTabs } from './AppTabs.tsx';
import { EditSlides } from './edit/EditSlides.tsx';
import { usePrinting } from './usePrinting.ts';

/** Shows the cells of an app view in the layout that notebook.toml names: page, grid, slides or tabs. */
export function AppBody(props: {
  kind: AppKind;
  ids: readonly string[];
  editing: boolean;
  slide: number | null;
  tab: string | null;
  onSlide: (number: number) => void;
  onTab: (name: string) => void;
}) {
  const { kind, ids, editing, slide, tab, onSlide, onTab } = props;
  const printing = usePrinting();
  switch (kind) {
    case 'grid':
      return <AppGrid ids={ids} editing={editing} />;
    case 'tabs':
      return <AppTabs ids={ids} editing={editing} printing={printing} at={tab} onTab={onTab} />;
    case 'slides':
      if (editing) return <EditSlides ids={ids} />;
      return <AppSlides ids={ids} printing={printing} at={slide} onSlide={onSlide} />;
    case 'page':
      return (
        <div className="app-cells">
          {ids.map((id) => (
            <AppPart key={id} id={id} kind="page" editing={editing} />
          ))}
        </div>
      );
  }
}

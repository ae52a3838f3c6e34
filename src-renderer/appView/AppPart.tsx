import type { AppKind } from '../../src-shared/wire/appLayout.ts';
import { AppCell } from './AppCell.tsx';
import { EditBar } from './edit/EditBar.tsx';

/** One cell of an app view (AppCell), with a bar of tools above it while the layout is edited (EditBar). */
export function AppPart({ id, kind, editing }: { id: string; kind: AppKind; editing: boolean }) {
  if (!editing) return <AppCell id={id} />;
  return (
    <div className="app-part">
      <EditBar id={id} kind={kind} />
      <div className="app-part-body">
        <AppCell id={id} />
      </div>
    </div>
  );
}

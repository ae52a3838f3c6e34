import { useEffect, useId, useState } from 'react';
import { tabCellsOf } from '../../../src-shared/notebook/app/tabCells.ts';
import { FIRST_TAB, tabsOf } from '../../../src-shared/notebook/app/tabs.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import { useSession, useView, useViewSame } from '../../notebook/context.ts';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import { appPartsOf, cellsOf } from '../arrange/appParts.ts';

/**
 * Field for the tab of an app view in which a cell is shown: an existing tab or a new name. If empty, the tab follows
 * from the notebook's sections.
 */
export function TabOfCell({ id, name }: { id: string; name: string }) {
  const session = useSession();
  const list = useId();
  const own = useView((view) => appLayoutOf(view).cells[id]?.tab ?? '');
  const { names, of } = useViewSame(
    (view) => {
      const cells = tabCellsOf(cellsOf(view.model), new Set(appPartsOf(view).shown));
      const tabs = tabsOf(cells, appLayoutOf(view), FIRST_TAB);
      return {
        names: tabs.map((tab) => tab.name),
        of: tabs.find(({ ids }) => ids.includes(id))?.name ?? FIRST_TAB,
      };
    },
    (a, b) => a.of === b.of && a.names.join('\n') === b.names.join('\n'),
  );
  const [typed, setTyped] = useState(own);
  useEffect(() => setTyped(own), [own]);
  const save = (): void => {
    const tab = typed.trim();
    setTyped(tab);
    if (tab !== own) void session.appLayouts.change({ cells: { [id]: { tab: tab === '' ? null : tab } } });
  };
  return (
    <span className="app-tab-of">
      <input
        className="field field-s"
        aria-label={W.tabOf(name)}
        placeholder={of}
        list={list}
        maxLength={80}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setTyped(own);
        }}
      />
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </span>
  );
}

/** The tabs layout of an app view: the cells of each tab, and in edit mode the name and order of the tabs. */

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Tabs as Radix } from 'radix-ui';
import { useEffect, useState } from 'react';
import { tabCellsOf } from '../../src-shared/notebook/app/tabCells.ts';
import { type AppTab, FIRST_TAB, tabsOf } from '../../src-shared/notebook/app/tabs.ts';
import { appLayoutOf } from '../live/appLayout.ts';
import { useSession, useView, useViewSame } from '../notebook/context.ts';
import { IconButton } from '../ui/Button.tsx';
import '../ui/tabs.css';
import { APP_WORDS as W } from '../words/appLayout.ts';
import { AppPart } from './AppPart.tsx';
import { cellsOf } from './arrange/appParts.ts';
import { moveTab, renameTab } from './arrange/tabs.ts';

/**
 * The cells of an app in named tabs. A tab stays in the page once it was opened, so that its figures are not drawn
 * again. All tabs are printed.
 */
export function AppTabs(props: {
  ids: readonly string[];
  editing: boolean;
  printing: boolean;
  /** The tab that the URL names; null: the first. */
  at: string | null;
  onTab: (name: string) => void;
}) {
  const { ids, editing, printing, at, onTab } = props;
  const cells = useViewSame(
    (view) => tabCellsOf(cellsOf(view.model), new Set(ids)),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  const layout = useView(appLayoutOf);
  const tabs = tabsOf(cells, layout, FIRST_TAB);
  const [chosen, setChosen] = useState(at);
  // The URL changed within the same app: a link, or the browser's Back button.
  useEffect(() => {
    if (at !== null) setChosen(at);
  }, [at]);
  const open = tabs.find(({ name }) => name === chosen)?.name ?? tabs[0]?.name ?? '';
  const opened = useOpenedTabs(open);
  // The open tab stays open when the order changes.
  if (chosen !== open && open !== '') setChosen(open);
  const choose = (name: string): void => {
    setChosen(name);
    onTab(name);
  };
  return (
    <Radix.Root className="tabs app-tabs" value={open} onValueChange={choose}>
      <div className="tabs-row app-tabs-row">
        <Radix.List className="tabs-list" aria-label={W.tabs} loop>
          {tabs.map(({ name }) => (
            <Radix.Trigger key={name} value={name} className="tab">
              {name}
            </Radix.Trigger>
          ))}
        </Radix.List>
      </div>
      {editing && open !== '' ? <TabEdit key={open} tabs={tabs} name={open} onRename={choose} /> : null}
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.name}
          value={tab.name}
          className="app-tab app-cells"
          // Tabs that were opened stay in the page while hidden; the others are not drawn, except to print.
          forceMount={opened.has(tab.name) || printing ? true : undefined}
          hidden={tab.name !== open}
        >
          {printing ? <h2 className="app-paper">{tab.name}</h2> : null}
          {tab.ids.map((id) => (
            <AppPart key={id} id={id} kind="tabs" editing={editing} />
          ))}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

/** The names of the tabs that have been opened, including the open one. */
function useOpenedTabs(open: string): ReadonlySet<string> {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([open]));
  if (opened.has(open)) return opened;
  const next = new Set(opened).add(open);
  setOpened(next);
  return next;
}

/** Edits the name and the position of the open tab. */
function TabEdit(props: { tabs: readonly AppTab[]; name: string; onRename: (name: string) => void }) {
  const { tabs, name, onRename } = props;
  const session = useSession();
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const at = tabs.findIndex((tab) => tab.name === name);
  const rename = (): void => {
    const to = typed.trim();
    setTyped(to === '' ? name : to);
    if (to === '' || to === name) return;
    void session.appLayouts.change(renameTab(tabs, name, to));
    onRename(to);
  };
  return (
    <div className="app-tab-edit">
      <input
        className="field field-s"
        aria-label={W.tabName}
        maxLength={80}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename();
          if (event.key === 'Escape') setTyped(name);
        }}
      />
      <IconButton
        label={W.tabLeft}
        disabled={at <= 0}
        onClick={() => void session.appLayouts.change(moveTab(tabs, name, -1))}
      >
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <IconButton
        label={W.tabRight}
        disabled={at === tabs.length - 1}
        onClick={() => void session.appLayouts.change(moveTab(tabs, name, 1))}
      >
        <ChevronRight aria-hidden="true" />
      </IconButton>
    </div>
  );
}

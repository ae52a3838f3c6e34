/** The page of an open notebook: the cells in the middle, panels around them. */

import './workbench.css';
import { useEffect, useRef } from 'react';
import { FindBar } from '../find/FindBar.tsx';
import { Banners } from '../notebook/Banners.tsx';
import { Column } from '../notebook/Column.tsx';
import { OpenNotebook } from '../notebook/OpenNotebook.tsx';
import { usePreloadedEditor, useTitle, useUnsavedWarning } from '../notebook/pageEffects.ts';
import { PythonEditorDialogs } from '../notebook/python/PythonEditorDialogs.tsx';
import { useCommandKeys } from '../notebook/useCommandKeys.ts';
import { useRunReport } from '../notebook/useRunReport.ts';
import { useSections } from '../notebook/useSections.ts';
import { Overlays } from '../palette/Overlays.tsx';
import type { RecentNotebooks } from '../palette/QuickOpen.tsx';
import { useCalmScroll } from '../ui/useCalmScroll.ts';
import { WORKBENCH } from '../words/workbench.ts';
import { useFollowAgent } from './assistant/useFollowAgent.ts';
import { useQuestionToast } from './assistant/useQuestionToast.ts';
import { BottomRegion } from './Drawer.tsx';
import { RequestedMount } from './data/RequestedMount.tsx';
import { Diagnostics } from './environment/DiagnosticsDialog.tsx';
import { PackageRequestDialogs } from './environment/PackageRequestDialogs.tsx';
import { WindowDropTarget } from './environment/WindowDropTarget.tsx';
import { Header } from './header/Header.tsx';
import { HistoryDialog } from './history/HistoryDialog.tsx';
import { MergedEditsDialog } from './history/MergedEditsDialog.tsx';
import { CompareDialogHost } from './inspector/CompareDialogHost.tsx';
import { PromoteDialogHost } from './inspector/PromoteDialog.tsx';
import { Rail } from './Rail.tsx';
import { LeftRegion, RightRegion } from './Regions.tsx';
import { useRegionKeys } from './regionKeys.ts';
import { StatusBar } from './StatusBar.tsx';
import { useExternalChangeToast } from './useExternalChangeToast.ts';
import { layoutActions, useLayout } from './useLayout.ts';
import { useStarterCell } from './useStarterCell.ts';

/** The page of one open notebook: the cells in the middle, panels around them. */
export function WorkbenchPage(props: {
  sessionId: string;
  path: string | null;
  /** The cell to scroll to at first. */
  cellId: string | null;
  /** Whether this page opened the session a moment ago. */
  justOpened: boolean;
  onSessionId: (sessionId: string, path: string | null) => void;
  onOpened: (path: string, name: string) => void;
  recents: RecentNotebooks;
}) {
  const { onOpened, recents, ...notebook } = props;
  return (
    <OpenNotebook {...notebook}>
      <Workbench onOpened={onOpened} />
      <Overlays recents={recents} />
      <CompareDialogHost />
      <PromoteDialogHost />
      <PackageRequestDialogs />
      <PythonEditorDialogs />
      <Diagnostics />
      <WindowDropTarget />
      <RequestedMount />
    </OpenNotebook>
  );
}

function Workbench({ onOpened }: { onOpened: (path: string, name: string) => void }) {
  useTitle(onOpened);
  usePreloadedEditor();
  useUnsavedWarning();
  useCommandKeys();
  useRunReport();
  useRegionKeys();
  useExternalChangeToast();
  useQuestionToast();
  useFollowAgent();
  useNarrow();
  useStarterCell();
  useSections();
  return (
    <div className="workbench">
      <Header />
      <div className="wb-body">
        <Rail />
        <LeftRegion />
        <Centre />
        <RightRegion />
      </div>
      <StatusBar />
      <HistoryDialog />
      <MergedEditsDialog />
    </div>
  );
}

function Centre() {
  const scrolled = useRef<HTMLElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  useCalmScroll(scrolled, pane);
  const wide = useLayout((layout) => layout.wide);
  return (
    <div className="wb-centre">
      <Banners />
      <FindBar />
      <main
        ref={scrolled}
        className={wide ? 'scroll scroll-wide' : 'scroll'}
        data-scroll-root
        data-region="main"
        aria-label={WORKBENCH.region.main}
        tabIndex={-1}
      >
        <div className="scroll-pane" aria-hidden="true">
          <div ref={pane} className="scroll-veil" />
        </div>
        <Column />
      </main>
      <BottomRegion />
    </div>
  );
}

/** Below this width, in CSS px, two open side panels leave too little room for the cells. */
const NARROW = '(max-width: 1099px)';

function useNarrow(): void {
  useEffect(() => {
    const query = window.matchMedia(NARROW);
    const update = (): void => layoutActions().setNarrow(query.matches);
    update();
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
}

/** The left and right regions of the workbench, each showing the side panel that is open there. */

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type PanelId, type Region, shownLeft, shownRight, sizeOf } from '../state/layout.ts';
import { IconButton } from '../ui/Button.tsx';
import { WORKBENCH } from '../words/workbench.ts';
import { AssistantPanel } from './assistant/AssistantPanel.tsx';
import { DataPanel } from './data/DataPanel.tsx';
import { EnvironmentPanel } from './environment/EnvironmentPanel.tsx';
import { FilesPanel } from './files/FilesPanel.tsx';
import { TimelinePanel } from './history/TimelinePanel.tsx';
import { Inspector } from './inspector/Inspector.tsx';
import { OutlinePanel } from './outline/OutlinePanel.tsx';
import { focusIn } from './regionKeys.ts';
import { Separator } from './Separator.tsx';
import { layoutActions, useLayout } from './useLayout.ts';
import { useRowFocus } from './useRowFocus.ts';
import { WorkersSection } from './workers/WorkersSection.tsx';

export function LeftRegion() {
  const panel = useLayout(shownLeft);
  const width = useLayout((layout) => layout.leftWidth);
  if (panel === null) return null;
  return (
    <SideRegion region="left" width={width} title={WORKBENCH.panel[panel]} panel={panel}>
      {panel === 'outline' ? <OutlinePanel /> : null}
      {panel === 'data' ? <DataPanel /> : null}
      {panel === 'files' ? <FilesPanel /> : null}
      {panel === 'environment' ? <EnvironmentPanel /> : null}
      {panel === 'workers' ? <WorkersSection /> : null}
      {panel === 'history' ? <TimelinePanel /> : null}
    </SideRegion>
  );
}

export function RightRegion() {
  const panel = useLayout(shownRight);
  const width = useLayout((layout) => sizeOf(layout, 'right'));
  if (panel === null) return null;
  return (
    <SideRegion region="right" width={width} title={WORKBENCH.panel[panel]} panel={panel}>
      {panel === 'inspector' ? <Inspector /> : <AssistantPanel />}
    </SideRegion>
  );
}

/** A panel at a side: docked in a wide window, over the page in a narrow one, where Escape closes it. */
function SideRegion(props: {
  region: Exclude<Region, 'bottom'>;
  width: number;
  title: string;
  panel: PanelId;
  children: ReactNode;
}) {
  const { region, width, title, panel, children } = props;
  const isDrawer = useLayout((layout) => layout.narrow);
  const box = useRef<HTMLElement>(null);
  useRowFocus(box);
  // A drawer takes the focus when it opens, and returns it when it closes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another panel in the same drawer counts as an opening, too
  useEffect(() => {
    if (!isDrawer || box.current === null) return;
    const before = document.activeElement;
    // The panel may have set the focus itself, for example to the message field of the conversation.
    if (!box.current.contains(before)) focusIn(box.current);
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [isDrawer, panel]);
  const close = (): void => layoutActions().closeRegion(region);
  const edge = <Separator region={region} />;
  return (
    <>
      {isDrawer ? <div className="drawer-back" aria-hidden="true" onClick={close} /> : null}
      {region === 'right' && !isDrawer ? edge : null}
      <aside
        ref={box}
        className={`side side-${region}${isDrawer ? ' side-drawer' : ''}`}
        style={{ width }}
        aria-label={title}
        data-region={region}
        data-panel={panel}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (!isDrawer || event.key !== 'Escape' || event.defaultPrevented) return;
          event.stopPropagation();
          close();
        }}
      >
        <div className="panel-head">
          <h2>{title}</h2>
          <span className="grow" />
          <IconButton label={WORKBENCH.hidePanel} onClick={close}>
            <X />
          </IconButton>
        </div>
        <div className="panel-body" data-own-arrows>
          {children}
        </div>
      </aside>
      {region === 'left' && !isDrawer ? edge : null}
    </>
  );
}

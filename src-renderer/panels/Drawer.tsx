/** The drawer below the cells: graph, runs, consoles inside cells, terminals and logs. */

import './drawer.css';
import { X } from 'lucide-react';
import { IconButton } from '../ui/Button.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { WORKBENCH } from '../words/workbench.ts';
import { CellConsolePanel } from './cellConsole/CellConsolePanel.tsx';
import { DagPanel } from './dag/DagPanel.tsx';
import { LogsPanel } from './logs/LogsPanel.tsx';
import { RunsPanel } from './runs/RunsPanel.tsx';
import { Separator } from './Separator.tsx';
import { TerminalPanel } from './terminal/TerminalPanel.tsx';
import { layoutActions, useLayout } from './useLayout.ts';

/**
 * The drawer below the cells: the graph, the runs, the consoles inside cells, the terminals, and the logs of the server
 * and the environment.
 */
export function BottomRegion() {
  const panel = useLayout((layout) => layout.bottom);
  const height = useLayout((layout) => layout.bottomHeight);
  if (panel === null) return null;
  return (
    <>
      <Separator region="bottom" />
      <section
        className="drawer-bottom"
        style={{ height }}
        aria-label={WORKBENCH.region.bottom}
        data-region="bottom"
        data-panel={panel}
        tabIndex={-1}
      >
        <Tabs
          label={WORKBENCH.region.bottom}
          value={panel}
          onChange={(id) => layoutActions().showPanel(id)}
          tabs={[
            { id: 'dag', label: WORKBENCH.panel.dag, content: <DagPanel /> },
            { id: 'runs', label: WORKBENCH.panel.runs, content: <RunsPanel /> },
            { id: 'cellConsole', label: WORKBENCH.panel.cellConsole, content: <CellConsolePanel /> },
            { id: 'terminal', label: WORKBENCH.panel.terminal, content: <TerminalPanel /> },
            { id: 'logs', label: WORKBENCH.panel.logs, content: <LogsPanel /> },
          ]}
          actions={
            <IconButton label={WORKBENCH.hidePanel} onClick={() => layoutActions().closeRegion('bottom')}>
              <X />
            </IconButton>
          }
        />
      </section>
    </>
  );
}

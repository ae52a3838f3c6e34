/** The column of buttons at the left edge of the window that open and close panels. */

import {
  Database,
  FolderTree,
  GitFork,
  History,
  ListTree,
  type LucideIcon,
  Microscope,
  MoveHorizontal,
  Package,
  ScrollText,
  Server,
  Sparkles,
  SquareTerminal,
  Timer,
} from 'lucide-react';
import { labelWithKeys } from '../commands/labelWithKeys.ts';
import { isShown, type PanelId } from '../state/layout.ts';
import { focusNextTerminal } from '../state/terminals.ts';
import { WORKBENCH } from '../words/workbench.ts';
import { ThemeButton } from './ThemeButton.tsx';
import { layoutActions, useLayout } from './useLayout.ts';

/**
 * Buttons for the side panels above, and for those of the drawer below; pressing the button of an open panel closes it.
 */
export function Rail() {
  const wide = useLayout((layout) => layout.wide);
  return (
    <nav className="rail" aria-label={WORKBENCH.panels} data-region="rail">
      <RailButton id="outline" icon={ListTree} />
      <RailButton id="data" icon={Database} />
      <RailButton id="files" icon={FolderTree} />
      <RailButton id="environment" icon={Package} />
      <RailButton id="workers" icon={Server} />
      <RailButton id="history" icon={History} />
      <RailButton id="assistant" icon={Sparkles} />
      <span className="rail-gap" />
      <RailButton id="dag" icon={GitFork} />
      <RailButton id="runs" icon={Timer} />
      <RailButton id="cellConsole" icon={Microscope} />
      <RailButton id="terminal" icon={SquareTerminal} />
      <RailButton id="logs" icon={ScrollText} />
      <span className="grow" />
      <button
        type="button"
        className="rail-btn"
        aria-label={WORKBENCH.wideOn}
        title={WORKBENCH.wideOn}
        aria-pressed={wide}
        onClick={() => layoutActions().toggleWide()}
      >
        <MoveHorizontal aria-hidden="true" />
      </button>
      <ThemeButton />
    </nav>
  );
}

function RailButton({ id, icon: Icon }: { id: PanelId; icon: LucideIcon }) {
  const open = useLayout((layout) => isShown(layout, id));
  const label = WORKBENCH.panel[id];
  return (
    <button
      type="button"
      className="rail-btn"
      aria-label={label}
      title={labelWithKeys(label, `view.${id}`)}
      aria-pressed={open}
      onClick={() => {
        if (id === 'terminal') focusNextTerminal();
        layoutActions().togglePanel(id);
      }}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}

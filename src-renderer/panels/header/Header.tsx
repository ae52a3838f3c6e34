/** The header of an open notebook: home link, name, menu, other people, search, run buttons and inspector button. */

import './header.css';
import { PanelRight, Search } from 'lucide-react';
import { labelWithKeys } from '../../commands/labelWithKeys.ts';
import { useView } from '../../notebook/context.ts';
import { isShown } from '../../state/layout.ts';
import { Button } from '../../ui/Button.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { WORDS } from '../../words/strings.ts';
import { WORKBENCH } from '../../words/workbench.ts';
import { layoutActions, useLayout } from '../useLayout.ts';
import { NotebookMenu } from './NotebookMenu.tsx';
import { NotebookName } from './NotebookName.tsx';
import { Presence } from './Presence.tsx';
import { RunButtons } from './RunButtons.tsx';

/**
 * The link home, the notebook's name, menu and path, other people in it, search, the run buttons, and the inspector.
 */
export function Header() {
  const path = useView((view) => view.path);
  return (
    <header className="header" data-region="header">
      <a className="header-home" href="#/" aria-label={WORDS.backHome} title={WORDS.backHome}>
        <Logo />
      </a>
      <NotebookName />
      <NotebookMenu />
      {path === null ? null : (
        <span className="header-path" title={path}>
          <bdi>{path}</bdi>
        </span>
      )}
      <span className="grow" />
      <Presence />
      <Button
        title={WORKBENCH.searchHint}
        icon={<Search aria-hidden="true" />}
        onClick={() => layoutActions().openOverlay('quickOpen')}
      >
        <span className="header-search">{WORKBENCH.search}</span>
        <span className="header-key" aria-hidden="true">
          {isMac() ? '⌘ P' : 'Ctrl P'}
        </span>
      </Button>
      <RunButtons />
      <InspectorButton />
    </header>
  );
}

function InspectorButton() {
  const open = useLayout((layout) => isShown(layout, 'inspector'));
  const label = WORKBENCH.panel.inspector;
  return (
    <button
      type="button"
      className="rail-btn"
      aria-label={label}
      title={labelWithKeys(label, 'view.inspector')}
      aria-pressed={open}
      onClick={() => layoutActions().togglePanel('inspector')}
    >
      <PanelRight aria-hidden="true" />
    </button>
  );
}

function isMac(): boolean {
  return /Mac/.test(navigator.platform);
}

/** A row in the notebook lists of the first page: the link that opens the notebook, its facts and its menu. */

import {
  AppWindow,
  BookX,
  CircleX,
  Copy,
  Ellipsis,
  FolderOpen,
  NotebookText,
  Pin,
  PinOff,
  Trash2,
  X,
} from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode } from 'react';
import { shellBridge } from '../state/shellBridge.ts';
import { agoText } from '../ui/ago.ts';
import { IconButton } from '../ui/Button.tsx';
import { ContextMenu, Menu, type MenuItem } from '../ui/Menu.tsx';
import { tipProps } from '../ui/Tooltip.tsx';
import { HOME_WORDS } from '../words/home.ts';
import type { NotebookPlace } from './notebookPlace.ts';

/** The actions of a notebook in a list. */
export interface PlaceActions {
  readonly hrefOf: (place: NotebookPlace) => string;
  readonly pin: (place: NotebookPlace) => void;
  readonly forget: (place: NotebookPlace) => void;
  readonly copyPath: (place: NotebookPlace) => void;
  readonly close: (place: NotebookPlace) => void;
  readonly remove: (place: NotebookPlace) => void;
}

/** One notebook: its name opens it, and a menu (button, right-click, menu key) has the other actions. */
export const PlaceRow = memo(function PlaceRow(props: {
  place: NotebookPlace;
  now: number;
  actions: PlaceActions;
}) {
  const { place, now, actions } = props;
  const name = place.name.trim() === '' ? HOME_WORDS.untitled : place.name;
  const items = (): readonly MenuItem[] => itemsOf(place, actions);
  return (
    <ContextMenu label={HOME_WORDS.rowActions(name)} items={items}>
      <li className={`place-row place-${place.missing ? 'missing' : place.kind}`} data-path={place.path}>
        <PlaceLink place={place} actions={actions}>
          <span className="place-icon" aria-hidden="true">
            {place.missing ? <BookX /> : <NotebookText />}
          </span>
          <span className="place-name">{name}</span>
          <span className="place-path" title={place.path}>
            <bdi>{place.path}</bdi>
          </span>
          <span className="place-facts">
            {place.missing ? (
              <span className="place-why" {...tipProps(HOME_WORDS.missingHint)}>
                {HOME_WORDS.missing}
              </span>
            ) : null}
            {place.atMs === null || place.missing ? null : (
              <time dateTime={new Date(place.atMs).toISOString()}>{agoText(place.atMs, now)}</time>
            )}
          </span>
        </PlaceLink>
        <span className="place-actions">
          {place.kind === 'recent' ? (
            <IconButton
              label={place.pinned ? HOME_WORDS.unpin : HOME_WORDS.pin}
              aria-pressed={place.pinned}
              onClick={() => actions.pin(place)}
            >
              <Pin aria-hidden="true" fill={place.pinned ? 'currentColor' : 'none'} />
            </IconButton>
          ) : null}
          {place.missing ? (
            <IconButton label={HOME_WORDS.forget} onClick={() => actions.forget(place)}>
              <X aria-hidden="true" />
            </IconButton>
          ) : (
            <Menu
              label={HOME_WORDS.rowActions(name)}
              align="end"
              items={items}
              trigger={
                <IconButton label={HOME_WORDS.rowActions(name)}>
                  <Ellipsis aria-hidden="true" />
                </IconButton>
              }
            />
          )}
        </span>
      </li>
    </ContextMenu>
  );
});

/** The link that opens the notebook. A missing notebook can still be focused, inspected and removed from the list. */
function PlaceLink(props: { place: NotebookPlace; actions: PlaceActions; children: ReactNode }) {
  const { place, actions, children } = props;
  const forgetByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || place.kind !== 'recent') return;
    event.preventDefault();
    actions.forget(place);
  };
  if (place.missing) {
    return (
      // A link without a target, which the keyboard can still reach for its explanation and its menu.
      // biome-ignore lint/a11y/useSemanticElements: an a without href is no link to assistive technology
      <span
        className="place-link"
        data-place=""
        role="link"
        aria-disabled="true"
        tabIndex={0}
        onKeyDown={forgetByKey}
      >
        {children}
      </span>
    );
  }
  return (
    <a className="place-link" data-place="" href={actions.hrefOf(place)} onKeyDown={forgetByKey}>
      {children}
    </a>
  );
}

function itemsOf(place: NotebookPlace, actions: PlaceActions): readonly MenuItem[] {
  const shell = shellBridge();
  const items: MenuItem[] = [];
  if (!place.missing) {
    items.push({
      kind: 'item',
      label: HOME_WORDS.openRow,
      icon: <FolderOpen />,
      keys: 'Enter',
      onSelect: () => {
        window.location.hash = actions.hrefOf(place);
      },
    });
    if (shell !== null) {
      items.push({
        kind: 'item',
        label: HOME_WORDS.openWindow,
        icon: <AppWindow />,
        onSelect: () => shell.newWindow(place.path),
      });
    }
  }
  items.push({
    kind: 'item',
    label: HOME_WORDS.copyPath,
    icon: <Copy />,
    onSelect: () => actions.copyPath(place),
  });
  if (place.kind === 'recent') {
    items.push(
      {
        kind: 'item',
        label: place.pinned ? HOME_WORDS.unpin : HOME_WORDS.pin,
        icon: place.pinned ? <PinOff /> : <Pin />,
        onSelect: () => actions.pin(place),
      },
      {
        kind: 'item',
        label: HOME_WORDS.forget,
        icon: <X />,
        keys: 'Delete',
        onSelect: () => actions.forget(place),
      },
    );
  }
  if (place.kind === 'session') {
    items.push({
      kind: 'item',
      label: HOME_WORDS.close,
      icon: <CircleX />,
      onSelect: () => actions.close(place),
    });
  }
  if (!place.missing) {
    items.push(
      { kind: 'separator' },
      {
        kind: 'item',
        label: HOME_WORDS.remove,
        icon: <Trash2 />,
        danger: true,
        onSelect: () => actions.remove(place),
      },
    );
  }
  return items;
}

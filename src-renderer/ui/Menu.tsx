/** The menus that buttons open, and the context menus, built on Radix. */

import './menu.css';
import { Check, ChevronRight } from 'lucide-react';
import { ContextMenu as RadixContext, DropdownMenu as RadixMenu } from 'radix-ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Keys } from './Keys.tsx';
import { isFocusLost } from './lostFocus.ts';

/** One row of a menu. */
export type MenuItem =
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly icon?: ReactNode;
      /** A shortcut such as `Mod+Enter`; the menu shows it but does not bind it. */
      readonly keys?: string | undefined;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      readonly onSelect: () => void;
    }
  | {
      readonly kind: 'check';
      readonly label: string;
      readonly checked: boolean;
      readonly keys?: string | undefined;
      readonly disabled?: boolean;
      readonly onSelect: () => void;
    }
  | { readonly kind: 'heading'; readonly label: string }
  | { readonly kind: 'separator' }
  | {
      readonly kind: 'submenu';
      readonly label: string;
      readonly icon?: ReactNode;
      readonly items: MenuItems;
    };
/** Rows, or a function that builds them when the menu opens. A context menu passes the element that was clicked. */
export type MenuItems = readonly MenuItem[] | ((target: Element | null) => readonly MenuItem[]);

type Parts = Pick<
  typeof RadixMenu,
  | 'Item'
  | 'CheckboxItem'
  | 'ItemIndicator'
  | 'Label'
  | 'Separator'
  | 'Sub'
  | 'SubTrigger'
  | 'SubContent'
  | 'Portal'
>;
const MENU_PARTS: Parts = RadixMenu;
const CONTEXT_PARTS: Parts = RadixContext;

interface MenuProps {
  /** The accessible name of the menu. */
  readonly label: string;
  readonly items: MenuItems;
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly onOpenChange?: (open: boolean) => void;
}

/**
 * A menu that a button opens, with the usual keys (arrows, Home, End, letters, Enter, Escape), which reach nothing
 * else.
 */
export function Menu({ label, items, trigger, align = 'start', side = 'bottom', onOpenChange }: MenuProps) {
  return (
    <RadixMenu.Root modal={false} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content
          className="menu"
          aria-label={label}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          loop
          onKeyDown={keepKey}
          onCloseAutoFocus={leaveFocusTaken}
        >
          <Rows items={items} target={null} parts={MENU_PARTS} />
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

/** The context menu of `children` (one element), opened by right-click or the menu key. */
export function ContextMenu(props: { label?: string; items: MenuItems; children: ReactElement }) {
  const [target, setTarget] = useState<Element | null>(null);
  return (
    <RadixContext.Root modal={false}>
      <RadixContext.Trigger
        asChild
        onContextMenuCapture={(event) => setTarget(event.target instanceof Element ? event.target : null)}
      >
        {props.children}
      </RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content
          className="menu"
          aria-label={props.label}
          collisionPadding={8}
          loop
          onKeyDown={keepKey}
          onCloseAutoFocus={leaveFocusTaken}
        >
          <Rows items={props.items} target={target} parts={CONTEXT_PARTS} />
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  );
}

/** Keys pressed in a menu must not reach the commands of the page. */
function keepKey(event: React.KeyboardEvent): void {
  event.stopPropagation();
}

/** If the selected row moved the focus, for example to a rename field or a dialog, the focus stays there. */
function leaveFocusTaken(event: Event): void {
  const menu = event.target instanceof Element ? event.target : null;
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  if (!isFocusLost(button)) event.preventDefault();
}

function Rows({ items, target, parts }: { items: MenuItems; target: Element | null; parts: Parts }) {
  const rows = typeof items === 'function' ? items(target) : items;
  return rows.map((item, at) => {
    const key = 'label' in item ? `${at} ${item.label}` : at;
    return <Row key={key} item={item} target={target} parts={parts} />;
  });
}

function Row({ item, target, parts }: { item: MenuItem; target: Element | null; parts: Parts }) {
  switch (item.kind) {
    case 'item':
      return (
        <parts.Item
          className={item.danger === true ? 'menu-row menu-danger' : 'menu-row'}
          textValue={item.label}
          disabled={item.disabled === true}
          onSelect={item.onSelect}
        >
          <span className="menu-icon">{item.icon}</span>
          <span className="menu-label">{item.label}</span>
          {item.keys === undefined ? null : <Keys chord={item.keys} quiet />}
        </parts.Item>
      );
    case 'check':
      return (
        <parts.CheckboxItem
          className="menu-row"
          textValue={item.label}
          checked={item.checked}
          disabled={item.disabled === true}
          onSelect={item.onSelect}
        >
          <span className="menu-icon">
            <parts.ItemIndicator>
              <Check aria-hidden="true" />
            </parts.ItemIndicator>
          </span>
          <span className="menu-label">{item.label}</span>
          {item.keys === undefined ? null : <Keys chord={item.keys} quiet />}
        </parts.CheckboxItem>
      );
    case 'heading':
      return <parts.Label className="menu-heading">{item.label}</parts.Label>;
    case 'separator':
      return <parts.Separator className="menu-line" />;
    case 'submenu':
      return (
        <parts.Sub>
          <parts.SubTrigger className="menu-row" textValue={item.label}>
            <span className="menu-icon">{item.icon}</span>
            <span className="menu-label">{item.label}</span>
            <ChevronRight className="menu-arrow" aria-hidden="true" />
          </parts.SubTrigger>
          <parts.Portal>
            <parts.SubContent className="menu" collisionPadding={8} loop onKeyDown={keepKey}>
              <Rows items={item.items} target={target} parts={parts} />
            </parts.SubContent>
          </parts.Portal>
        </parts.Sub>
      );
  }
}

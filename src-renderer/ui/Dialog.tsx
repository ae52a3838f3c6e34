/** The modal dialog that all dialogs of the window are built on. */

import './dialog.css';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';
import { IconButton } from './Button.tsx';
import { focusReturnTarget } from './focusReturn.ts';

interface DialogProps {
  readonly open: boolean;
  /** Called for Escape, the close button, and a press outside. */
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** The buttons, the one that confirms last. */
  readonly footer?: ReactNode;
  readonly size?: 's' | 'm' | 'l';
  /** `alertdialog` if something is about to be lost: only a button or Escape closes it. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children?: ReactNode;
}

/**
 * A dialog over the page. It takes the focus and returns it when it closes. The first field or button inside gets the
 * focus, so buttons that a hasty Enter must not press belong into `footer`.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, footer, size = 'm', role = 'dialog', children } = props;
  const cameFrom = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="dialog-veil" />
        <Radix.Content
          className={`dialog dialog-${size}`}
          role={role}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onKeyDown={(event) => event.stopPropagation()}
          onOpenAutoFocus={() => {
            cameFrom.current = origin();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (cameFrom.current?.isConnected === true) cameFrom.current.focus();
          }}
          onInteractOutside={(event) => {
            if (role === 'alertdialog' || isAbove(event.target)) event.preventDefault();
          }}
        >
          <header className="dialog-head">
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            {description === undefined ? null : (
              <Radix.Description className="dialog-description" asChild>
                <div>{description}</div>
              </Radix.Description>
            )}
          </header>
          {children === undefined || children === null ? null : <div className="dialog-body">{children}</div>}
          {footer === undefined ? null : <footer className="dialog-foot">{footer}</footer>}
          <span className="dialog-close">
            <IconButton label={PRIMITIVE_WORDS.close} onClick={onClose}>
              <X aria-hidden="true" />
            </IconButton>
          </span>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The element to return the focus to. A menu item will no longer exist, so the button of its menu is used instead. */
function origin(): HTMLElement | null {
  const active = document.activeElement;
  const triggerId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return focusReturnTarget(
    triggerId === null || triggerId === undefined ? active : document.getElementById(triggerId),
  );
}

/** Toasts are above dialogs: clicking one does not close the dialog. */
function isAbove(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.toasts') !== null;
}

import './palette.css';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { setFocusReturn } from '../ui/focusReturn.ts';

/**
 * A dialog with a search field and a list below it: arrow keys select, Enter chooses, Escape closes. Afterwards the
 * focus returns to where it was, unless the chosen action moved it.
 */
export function PickDialog(props: {
  title: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, placeholder, query, onQuery, onClose, children } = props;
  const cameFrom = useRef<Element | null>(null);
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="pick-veil" />
        <Dialog.Content
          className="pick"
          aria-describedby={undefined}
          onKeyDown={(event) => event.stopPropagation()}
          onOpenAutoFocus={() => {
            cameFrom.current = document.activeElement;
            setFocusReturn(cameFrom.current);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const active = document.activeElement;
            const isFree = active === null || active === document.body;
            if (isFree && cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
            setFocusReturn(null);
          }}
        >
          <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
          <Command label={title} shouldFilter={false} loop>
            <Command.Input
              className="pick-field"
              value={query}
              onValueChange={onQuery}
              placeholder={placeholder}
              aria-label={title}
            />
            <Command.List className="pick-list" label={title}>
              {children}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Shows toasts: short messages in a corner of the window that disappear after a while. */

import './toast.css';
import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';
import { Button, IconButton } from './Button.tsx';
import { dismissToast, onToasts, type ToastEntry, toastsShown } from './toastStore.ts';

export { toast } from './toastStore.ts';

/** How long a toast is shown, in ms; the timer stops while the pointer or the focus is on it. */
const SHOWN_MS = 6_000;
const SHOWN_WITH_ACTION_MS = 12_000;

/** Renders the messages of `toast()`. Mounted once. F8 moves the focus to them. */
export function Toasts() {
  const entries = useSyncExternalStore(onToasts, toastsShown);
  return (
    <Radix.Provider label={PRIMITIVE_WORDS.newMessage} swipeDirection="right">
      {entries.map((entry) => (
        <Message key={entry.id} entry={entry} />
      ))}
      <Radix.Viewport className="toasts" label={`${PRIMITIVE_WORDS.notifications} ({hotkey})`} />
    </Radix.Provider>
  );
}

function Message({ entry }: { entry: ToastEntry }) {
  const { id, words, action, tone } = entry;
  const dismiss = (): void => dismissToast(id);
  return (
    <Radix.Root
      className={`toast toast-${tone}`}
      type={tone === 'error' ? 'foreground' : 'background'}
      duration={action === null && tone !== 'error' ? SHOWN_MS : SHOWN_WITH_ACTION_MS}
      onOpenChange={(open) => {
        if (!open) dismiss();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Radix.Description className="toast-words">{words}</Radix.Description>
      {action === null ? null : (
        <Radix.Action altText={action.label} asChild>
          <Button onClick={action.run}>{action.label}</Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label={PRIMITIVE_WORDS.dismiss}>
          <X aria-hidden="true" />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  );
}

import type { ReactNode } from 'react';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Spinner } from './Spinner.tsx';

/** A form in a dialog: its fields, a cancel button and a submit button, which Enter presses too. */
export function FormDialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** What the button that goes on says, and what it says while that is under way. */
  readonly go: string;
  readonly going: string;
  readonly busy: boolean;
  /** Whether going on would do anything yet. */
  readonly ready?: boolean;
  /** It loses something: shown in red, and a press outside does not close it. */
  readonly danger?: boolean;
  /** An additional action, opposite the buttons. */
  readonly aside?: ReactNode;
  /** What came of it: above the buttons, where it is seen however long the form is. */
  readonly said?: ReactNode;
  /** Called once at a time, and only when `ready`. */
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  const { open, onClose, title, description, go, going, busy, ready = true, danger = false } = props;
  const submit = (): void => {
    if (ready && !busy) props.onSubmit();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      {...(description === undefined ? {} : { description })}
      {...(danger ? { role: 'alertdialog' } : {})}
      footer={
        <>
          {props.said === undefined || props.said === null ? null : (
            <div className="dialog-said">{props.said}</div>
          )}
          {props.aside === undefined || props.aside === null ? null : (
            <span className="dialog-aside">{props.aside}</span>
          )}
          <Button onClick={onClose}>{PRIMITIVE_WORDS.cancel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            disabled={!ready || busy}
            icon={busy ? <Spinner label={null} /> : undefined}
            onClick={submit}
          >
            {busy ? going : go}
          </Button>
        </>
      }
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {props.children}
        {/* Enter in a form of several fields needs a button inside. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

import type { ReactNode } from 'react';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Spinner } from './Spinner.tsx';

/** A form in a dialog: its fields, a cancel button and a submit button. Enter submits, too. */
export function FormDialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** The label of the submit button, and its label while the submission runs. */
  readonly go: string;
  readonly going: string;
  readonly busy: boolean;
  /** Whether the form can be submitted; true by default. */
  readonly ready?: boolean;
  /** Whether submitting loses something: the button is red, and a press outside does not close the dialog. */
  readonly danger?: boolean;
  /** An additional action, at the other side of the buttons. */
  readonly aside?: ReactNode;
  /** The result of the submission, above the buttons, where it is visible however long the form is. */
  readonly said?: ReactNode;
  /** Called only when `ready`, and not again before it has ended. */
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
        {/* A form with several fields is submitted by Enter only if it contains a submit button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

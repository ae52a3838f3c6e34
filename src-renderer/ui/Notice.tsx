import type { ReactNode } from 'react';

/** A message that needs attention, with buttons for what to do about it. */
export function Notice(props: { tone: 'info' | 'warn' | 'error'; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={`notice notice-${props.tone}`} role={props.tone === 'error' ? 'alert' : 'status'}>
      <span className="notice-text">{props.children}</span>
      {props.actions === undefined ? null : <span className="notice-actions">{props.actions}</span>}
    </div>
  );
}

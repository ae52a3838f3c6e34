import './emptyState.css';
import type { ReactNode } from 'react';

/** Shown instead of empty content: the reason why there is none, and what to do. */
export function EmptyState(props: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** `s` in panels, `m` in pages. */
  size?: 's' | 'm';
}) {
  const { icon, title, children, actions, size = 'm' } = props;
  return (
    <div className={`empty-state empty-state-${size}`}>
      {icon === undefined ? null : (
        <span className="empty-state-icon" aria-hidden="true">
          {icon}
        </span>
      )}
      <p className="empty-state-title">{title}</p>
      {children === undefined ? null : <div className="empty-state-text">{children}</div>}
      {actions === undefined ? null : <div className="empty-state-actions">{actions}</div>}
    </div>
  );
}

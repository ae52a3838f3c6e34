import './emptyState.css';
import type { ReactNode } from 'react';

/** What stands where nothing is (yet, found, reachable): why, and what can be done. */
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

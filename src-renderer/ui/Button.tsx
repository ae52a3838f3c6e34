import type { ButtonHTMLAttributes, ReactNode } from 'react';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'>;

/** A labelled button; one primary per group. */
export function Button(props: Native & { kind?: 'plain' | 'primary' | 'danger'; icon?: ReactNode }) {
  const { kind = 'plain', icon, children, ...native } = props;
  return (
    <button type="button" className={`btn btn-${kind}`} {...native}>
      {icon}
      {children}
    </button>
  );
}

/** A button that is only an icon: `label` is what screen readers and the tooltip say. */
export function IconButton(props: Native & { label: string; tone?: 'quiet' | 'round' | 'danger' }) {
  const { label, tone = 'quiet', children, ...native } = props;
  return (
    <button type="button" className={`icon-btn icon-${tone}`} aria-label={label} title={label} {...native}>
      {children}
    </button>
  );
}

/** The buttons of the window: one with a label, and one with only an icon and a tooltip. */

import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { tipProps } from './Tooltip.tsx';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'> & {
  ref?: Ref<HTMLButtonElement>;
};

/** A button with a label; a group has at most one primary button. */
export function Button(props: Native & { kind?: 'plain' | 'primary' | 'danger'; icon?: ReactNode }) {
  const { kind = 'plain', icon, children, ...native } = props;
  return (
    <button type="button" className={`btn btn-${kind}`} {...native}>
      {icon}
      {children}
    </button>
  );
}

/** A button with only an icon. `label` is its tooltip and its name for screen readers. */
export function IconButton(
  props: Native & {
    label: string;
    tone?: 'quiet' | 'round' | 'danger';
    /** The shortcut of the same command, shown in the tooltip. */
    keys?: string | undefined;
  },
) {
  const { label, tone = 'quiet', keys, children, ...native } = props;
  return (
    <button
      type="button"
      className={`icon-btn icon-${tone}`}
      aria-label={label}
      {...tipProps(label, keys)}
      {...native}
    >
      {children}
    </button>
  );
}

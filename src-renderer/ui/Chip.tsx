/** A chip: a small fact beside a name, such as “cached” beside the name of a cell. */

import type { ReactNode } from 'react';

export type ChipTone = 'plain' | 'cache' | 'stale' | 'run' | 'error' | 'accent';

export function Chip(props: {
  tone?: ChipTone;
  icon?: ReactNode;
  title?: string;
  /** Never truncated, even if space is short. */
  whole?: boolean;
  children: ReactNode;
}) {
  const { tone = 'plain', whole = false } = props;
  return (
    <span className={`chip chip-${tone}${whole ? ' chip-whole' : ''}`} title={props.title}>
      {props.icon}
      <span className="chip-text">{props.children}</span>
    </span>
  );
}

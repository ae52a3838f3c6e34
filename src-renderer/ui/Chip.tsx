import type { ReactNode } from 'react';

export type ChipTone = 'plain' | 'cache' | 'stale' | 'run' | 'error' | 'accent';

/** A small fact beside a name. */
export function Chip(props: {
  tone?: ChipTone;
  icon?: ReactNode;
  title?: string;
  /** Never cut, where room is short. */
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

import type { ReactNode } from 'react';

export type ChipTone = 'plain' | 'cache' | 'stale' | 'run' | 'error' | 'accent';

/** A small fact beside a name. */
export function Chip(props: { tone?: ChipTone; icon?: ReactNode; title?: string; children: ReactNode }) {
  return (
    <span className={`chip chip-${props.tone ?? 'plain'}`} title={props.title}>
      {props.icon}
      {props.children}
    </span>
  );
}

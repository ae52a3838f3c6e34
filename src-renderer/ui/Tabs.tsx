/** Tabs: a row of names, and the page of the selected one. */

import './tabs.css';
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A small number beside the label. */
  readonly count?: number | undefined;
  readonly content: ReactNode;
}

/** Tabs. Arrow keys go from tab to tab; only the selected page is in the document. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** Shown at the end of the row of tabs. */
  actions?: ReactNode;
}) {
  const { label, tabs, value, onChange, actions } = props;
  return (
    <Radix.Root
      className="tabs"
      value={value}
      onValueChange={(id) => {
        const tab = tabs.find((one) => one.id === id);
        if (tab !== undefined) onChange(tab.id);
      }}
    >
      <div className="tabs-row">
        <Radix.List className="tabs-list" aria-label={label} loop>
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.id} value={tab.id} className="tab">
              {tab.icon}
              {tab.label}
              {tab.count === undefined ? null : <span className="tab-count">{tab.count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {actions === undefined ? null : <span className="tabs-actions">{actions}</span>}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="tabs-page">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

/** Bar above a cell that is a variant: all alternatives of its group, which of them run, and a button to add one. */

import './variantBar.css';
import { Check, Plus } from 'lucide-react';
import type { VariantGroup } from '../../src-shared/wire/cell.ts';
import { shownModel } from '../state/undecided.ts';
import { groupOf } from '../state/variants.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { StatusMark } from '../ui/StatusMark.tsx';
import { VARIANT_WORDS as W } from '../words/variants.ts';
import { useSession, useView, useViewParts } from './context.ts';
import { NameField } from './NameField.tsx';
import { renameVariant } from './variantNames.ts';

/** The bar above the shown variant: all variants of the group, which of them run, and a button to add one. */
export function VariantBar({ cellId }: { cellId: string }) {
  const session = useSession();
  const group = useView((view) => groupOf(view, cellId));
  if (group === null) return null;
  const isIdle = group.mode === 'switch' && group.active_cell_id !== cellId;
  const choose = (id: string): void => {
    session.focus(id, 'command');
    const member = group.members.find(({ cell_id }) => cell_id === id);
    if (group.mode === 'sweep' || member === undefined || id === group.active_cell_id) return;
    void session.shape.chooseVariant(group, { active: member.name });
  };
  return (
    // Presses in the bar do not start editing the cell's text.
    <div className="variant-bar" data-variant-group={group.group}>
      <span className="variant-group" title={W.group(group.group)}>
        {group.group}
      </span>
      <div
        className="variant-tabs"
        role="tablist"
        aria-label={W.group(group.group)}
        data-own-arrows
        onKeyDown={(event) => {
          const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          const ids = group.members.map((member) => member.cell_id);
          const next = ids[ids.indexOf(cellId) + by];
          if (by === 0 || next === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          choose(next);
        }}
      >
        {group.members.map((member) => (
          <VariantTab
            key={member.cell_id}
            group={group}
            member={member}
            shown={member.cell_id === cellId}
            onChoose={() => choose(member.cell_id)}
          />
        ))}
      </div>
      <IconButton label={`${W.add}: ${group.group}`} onClick={() => void session.shape.addVariant(group)}>
        <Plus />
      </IconButton>
      <span className="grow" />
      {isIdle ? (
        <Button onClick={() => choose(cellId)} title={W.notActive}>
          {W.activate}
        </Button>
      ) : null}
      <Segmented
        label={W.modes}
        value={group.mode}
        options={[
          { value: 'switch', label: W.switch, hint: W.switchHint },
          { value: 'sweep', label: W.sweep, hint: W.sweepHint },
        ]}
        onChange={(mode) => void session.shape.chooseVariant(group, { mode })}
      />
    </div>
  );
}

function VariantTab(props: {
  group: VariantGroup;
  member: VariantGroup['members'][number];
  shown: boolean;
  onChoose: () => void;
}) {
  const { group, member, shown, onChoose } = props;
  const session = useSession();
  const { cell_id: id, name } = member;
  const { status, naming } = useViewParts((view) => ({
    status: shownModel(view, id)?.cell.status ?? 'idle',
    naming: view.namingVariant === id,
  }));
  const isActive = group.mode === 'switch' && group.active_cell_id === id;
  if (naming) {
    return (
      <NameField
        className="field variant-rename"
        name={name}
        label={W.nameOf(name)}
        maxLength={60}
        onDone={(newName) => {
          session.nameVariant(null);
          // If another cell was clicked, that one has the focus now.
          if (session.store.getState().focusedId === id) session.focus(id, 'command');
          if (newName !== null) renameVariant(session, { group, cellId: id, name: newName });
        }}
      />
    );
  }
  return (
    <button
      type="button"
      role="tab"
      className={member.is_active ? 'variant-tab' : 'variant-tab variant-idle'}
      aria-selected={shown}
      aria-label={isActive ? `${name}, ${W.active}` : name}
      tabIndex={shown ? 0 : -1}
      data-variant={name}
      onClick={onChoose}
      onDoubleClick={() => session.nameVariant(id)}
    >
      {group.mode === 'sweep' ? <StatusMark kind={status} /> : null}
      {isActive ? <Check className="variant-check" aria-hidden="true" /> : null}
      <span>{name}</span>
    </button>
  );
}

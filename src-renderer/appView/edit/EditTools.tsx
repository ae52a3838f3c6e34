/** The toolbar of an app view whose layout is edited: layout, theme, title, code, and undo of layout changes. */

import './edit.css';
import { Redo2, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { APP_KINDS, APP_THEMES } from '../../../src-shared/wire/appLayout.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { APP_WORDS as W } from '../../words/appLayout.ts';

const KINDS = APP_KINDS.map((value) => ({ value, label: W.kinds[value], hint: W.kindHints[value] }));
const THEMES = APP_THEMES.map((value) => ({ value, label: W.themes[value] }));

/** Settings of the whole app (layout, theme, title, code), and undo for changes of the layout only. */
export function EditTools() {
  const session = useSession();
  const layout = useView(appLayoutOf);
  const name = useView((view) => view.model.meta?.name ?? '');
  const canUndo = useView((view) => view.undo === 'layout');
  const canRedo = useView((view) => view.redo === 'layout');
  const change = (edit: Parameters<typeof session.appLayouts.change>[0]): void =>
    void session.appLayouts.change(edit);
  const undo = (): void => void session.appLayouts.step('undo');
  const redo = (): void => void session.appLayouts.step('redo');
  useUndoKeys(undo, redo);
  return (
    <div className="app-tools" role="toolbar" aria-label={W.toolbar}>
      <Segmented
        label={W.kind}
        value={layout.layout ?? 'page'}
        options={KINDS}
        onChange={(kind) => change({ layout: kind === 'page' ? null : kind })}
      />
      <TitleField title={layout.title ?? ''} name={name} onSave={(title) => change({ title })} />
      <Select
        label={W.theme}
        hideLabel
        value={layout.theme ?? 'system'}
        options={THEMES}
        onChange={(theme) => change({ theme: theme === 'system' ? null : theme })}
      />
      <Switch
        label={W.code}
        checked={layout.code ?? false}
        onChange={(code) => change({ code: code ? true : null })}
      />
      <span className="app-tools-end">
        <IconButton label={W.undo} keys="Mod+z" disabled={!canUndo} onClick={undo}>
          <Undo2 aria-hidden="true" />
        </IconButton>
        <IconButton label={W.redo} keys="Mod+Shift+z" disabled={!canRedo} onClick={redo}>
          <Redo2 aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  );
}

function TitleField(props: { title: string; name: string; onSave: (title: string | null) => void }) {
  const { title, name, onSave } = props;
  const [typed, setTyped] = useState(title);
  useEffect(() => setTyped(title), [title]);
  const save = (): void => {
    const next = typed.trim();
    setTyped(next);
    if (next !== title) onSave(next === '' ? null : next);
  };
  return (
    <div className="app-title-field">
      <TextField
        label={W.title}
        hideLabel
        placeholder={name}
        maxLength={200}
        value={typed}
        onChange={setTyped}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setTyped(title);
        }}
      />
    </div>
  );
}

/** Undo and redo by keyboard; text fields keep their own. */
function useUndoKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('input, textarea') !== null) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) redo();
      else undo();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

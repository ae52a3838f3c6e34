import { Moon, Play, RefreshCw, Square, Sun, SunMoon } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { chooseTheme, onThemeChange, themeChoice } from '../theme/theme.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Logo } from '../ui/Logo.tsx';
import { WORDS } from '../ui/strings.ts';
import { useSession, useView } from './context.ts';
import { EnvironmentChip } from './EnvironmentChip.tsx';
import { LinkBadge } from './LinkBadge.tsx';

/** The notebook's name and place, its environment, the connection, and what runs everything. */
export function NotebookHeader() {
  const path = useView((view) => view.path);
  return (
    <header className="header">
      <a className="header-home" href="#/" aria-label={WORDS.backHome} title={WORDS.backHome}>
        <Logo />
      </a>
      <NotebookName />
      {path === null ? null : (
        <span className="header-path" title={path}>
          <bdi>{path}</bdi>
        </span>
      )}
      <span className="grow" />
      <LinkBadge />
      <EnvironmentChip />
      <ThemeButton />
      <RunAllButtons />
    </header>
  );
}

function NotebookName() {
  const session = useSession();
  const name = useView((view) => view.model.meta?.name ?? null);
  const [draft, setDraft] = useState<string | null>(null);
  if (name === null) return <span className="header-name" />;
  if (draft === null) {
    return (
      <button
        type="button"
        className="header-name"
        title={WORDS.renameNotebook}
        aria-label={`${WORDS.renameNotebook}: ${name}`}
        onClick={() => setDraft(name)}
      >
        {name}
      </button>
    );
  }
  const finish = (): void => {
    const wanted = draft.trim();
    setDraft(null);
    if (wanted !== '' && wanted !== name) void session.shape.rename(wanted);
  };
  return (
    <input
      className="field header-rename"
      // The person has just asked to rename.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={WORDS.renameNotebook}
      value={draft}
      maxLength={255}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish();
        if (event.key === 'Escape') setDraft(null);
      }}
    />
  );
}

function RunAllButtons() {
  const session = useSession();
  const busy = useView(
    (view) =>
      view.waiting.length > 0 ||
      view.model.order.some((id) => view.model.cells[id]?.cell.status === 'running'),
  );
  const off = useView((view) => view.link.kind !== 'live' || view.model.order.length === 0);
  // A plan that failed says nothing of its end: it counts while its own cell runs.
  const progress = useView(({ model }) => {
    const current = model.progress === null ? undefined : model.cells[model.progress.current_cell_id];
    return current?.cell.status === 'running' ? model.progress : null;
  });
  return (
    <>
      {busy ? (
        <Button
          icon={<Square className="stop-icon" aria-hidden="true" />}
          onClick={() => session.runs.cancelAll()}
        >
          {WORDS.stopAll}
          {progress === null ? '' : ` · ${progress.completed + 1}/${progress.total}`}
        </Button>
      ) : (
        <Button
          disabled={off}
          title={WORDS.rerunAllHint}
          icon={<RefreshCw aria-hidden="true" />}
          onClick={() => session.runs.runAll({ rerun: true })}
        >
          {WORDS.rerunAll}
        </Button>
      )}
      <Button
        kind="primary"
        disabled={off || busy}
        icon={<Play aria-hidden="true" fill="currentColor" />}
        onClick={() => session.runs.runAll({ rerun: false })}
      >
        {WORDS.runAll}
      </Button>
    </>
  );
}

export function ThemeButton() {
  const choice = useSyncExternalStore(onThemeChange, themeChoice);
  const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
  const label = { auto: WORDS.themeAuto, light: WORDS.themeLight, dark: WORDS.themeDark }[choice];
  return (
    <IconButton label={label} onClick={() => chooseTheme(next[choice])}>
      {choice === 'auto' ? <SunMoon /> : choice === 'light' ? <Sun /> : <Moon />}
    </IconButton>
  );
}

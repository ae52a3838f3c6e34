/** The Terminal panel: the terminals of the notebook, one of them visible. */

import './terminal.css';
import { Plus, Search, SquareTerminal, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TerminalView } from '../../../src-shared/wire/terminal.ts';
import { callRoute } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { type Task, useTask } from '../../live/useTask.ts';
import { useView, useViewParts } from '../../notebook/context.ts';
import { focusNextTerminal, rememberedTerminals, rememberTerminals } from '../../state/terminals.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { IS_MAC } from '../../ui/chord.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TERMINAL_WORDS } from '../../words/terminal.ts';
import { TerminalScreen } from './TerminalScreen.tsx';

const SEARCH_KEYS = IS_MAC ? 'Mod+f' : 'Mod+Shift+f';

/** Used until the terminal has been measured. */
const FIRST_SIZE = { columns: 80, rows: 24 };

/** The terminals of the notebook, one of them visible. Their shells keep running while the drawer is closed. */
export function TerminalPanel() {
  const untrusted = useView(({ model }) => model.meta?.untrusted !== undefined);
  if (untrusted)
    return (
      <EmptyState size="s" icon={<SquareTerminal />} title={TERMINAL_WORDS.untrusted}>
        {TERMINAL_WORDS.untrustedText}
      </EmptyState>
    );
  return <Terminals />;
}

function Terminals() {
  const { sid, path, live } = useViewParts(({ sessionId, path, link }) => ({
    sid: sessionId,
    path: path ?? sessionId,
    live: link.kind === 'live',
  }));
  const { value, problem, again } = useAnswer('listTerminals', live ? { params: { sid } } : null, {
    subject: sid,
    key: String(live),
  });
  const task = useTask();
  const [shownId, setShownId] = useState<string | null>(null);
  const [isSearching, setSearching] = useState(false);
  const terminals = value?.terminals ?? null;
  const visibleTerminal =
    terminals?.find(({ id }) => id === shownId) ?? terminals?.[terminals.length - 1] ?? null;

  const open = (count = 1): void =>
    task.run(async (signal) => {
      for (let at = 0; at < count; at += 1) {
        const terminal = await callRoute('openTerminal', { params: { sid }, body: FIRST_SIZE }, { signal });
        setShownId(terminal.id);
      }
      again();
    });
  const close = ({ id }: TerminalView): void =>
    task.run(async (signal) => {
      await callRoute('closeTerminal', { params: { sid, terminal_id: id } }, { signal });
      again();
    });

  // Opening the drawer means that a terminal is wanted: if there is none, as many are opened as this window had before.
  const isAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new list decides
  useEffect(() => {
    if (terminals === null) return;
    if (terminals.length > 0 || isAsked.current) rememberTerminals(path, terminals.length);
    else open(rememberedTerminals(path));
    isAsked.current = true;
  }, [terminals]);

  if (problem !== null) return <Notice tone="error">{problem}</Notice>;
  if (terminals === null) return null;
  return (
    <section className="terminals" aria-label={TERMINAL_WORDS.list}>
      <TerminalList
        terminals={terminals}
        shown={visibleTerminal}
        task={task}
        onShow={(id) => {
          focusNextTerminal();
          setShownId(id);
        }}
        onOpen={() => {
          focusNextTerminal();
          open();
        }}
        onClose={close}
        onSearch={() => setSearching(true)}
      />
      {task.problem === null ? null : <Notice tone="error">{task.problem}</Notice>}
      {visibleTerminal === null ? (
        <Nothing busy={task.busy} onOpen={() => open()} />
      ) : (
        <TerminalScreen
          key={visibleTerminal.id}
          sid={sid}
          terminal={visibleTerminal}
          onChange={again}
          isSearching={isSearching}
          onSearching={setSearching}
        />
      )}
    </section>
  );
}

function Nothing({ busy, onOpen }: { busy: boolean; onOpen: () => void }) {
  if (busy)
    return (
      <p className="terminal-starting" role="status">
        <Spinner /> {TERMINAL_WORDS.starting}
      </p>
    );
  return (
    <EmptyState
      size="s"
      icon={<SquareTerminal />}
      title={TERMINAL_WORDS.empty}
      actions={
        <Button
          kind="primary"
          onClick={() => {
            focusNextTerminal();
            onOpen();
          }}
        >
          {TERMINAL_WORDS.add}
        </Button>
      }
    >
      {TERMINAL_WORDS.emptyText}
    </EmptyState>
  );
}

function TerminalList(props: {
  terminals: readonly TerminalView[];
  shown: TerminalView | null;
  task: Task;
  onShow: (id: string) => void;
  onOpen: () => void;
  onClose: (terminal: TerminalView) => void;
  onSearch: () => void;
}) {
  const { terminals, shown, task, onShow, onOpen, onClose, onSearch } = props;
  if (terminals.length === 0) return null;
  return (
    <header className="terminal-list">
      {terminals.map((terminal) => (
        <span key={terminal.id} className="terminal-item">
          <button
            type="button"
            className="terminal-name"
            aria-pressed={terminal.id === shown?.id}
            onClick={() => onShow(terminal.id)}
          >
            {terminal.exit_code === null ? terminal.name : TERMINAL_WORDS.exitedName(terminal.name)}
          </button>
          <IconButton label={TERMINAL_WORDS.close(terminal.name)} onClick={() => onClose(terminal)}>
            <X />
          </IconButton>
        </span>
      ))}
      <IconButton label={TERMINAL_WORDS.add} disabled={task.busy} onClick={onOpen}>
        <Plus />
      </IconButton>
      <span className="grow" />
      <IconButton label={TERMINAL_WORDS.search} keys={SEARCH_KEYS} onClick={onSearch}>
        <Search />
      </IconButton>
    </header>
  );
}

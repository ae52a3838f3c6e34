/** The Run and Stop buttons in the header of a notebook, with the menu of other ways to run. */

import { ChevronDown, Play, Square } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { countNotUpToDate } from '../../state/undecided.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { CARD_WORDS } from '../../words/cellCard.ts';
import { WORDS } from '../../words/strings.ts';
import { WORKBENCH } from '../../words/workbench.ts';

/**
 * Runs the cells that are not up to date; its menu has the other ways to run. During a run, the Stop button comes
 * first.
 */
export function RunButtons() {
  const session = useSession();
  const busy = useView(
    (view) =>
      view.model.queue.length > 0 ||
      view.model.order.some((id) => view.model.cells[id]?.cell.status === 'running'),
  );
  const off = useView((view) => view.link.kind !== 'live' || view.model.order.length === 0);
  const count = useView(countNotUpToDate);
  const group = useKeptFocus(busy);
  return (
    <span className="run-buttons" {...group}>
      {busy ? <StopButton /> : null}
      <span className="run-group">
        <Button
          kind="primary"
          disabled={off || busy || count === 0}
          title={WORKBENCH.runStaleHint(count)}
          icon={<Play aria-hidden="true" fill="currentColor" />}
          onClick={() => session.runs.runStale()}
        >
          {WORKBENCH.runStale}
        </Button>
        <Menu
          label={WORKBENCH.runMenu}
          align="end"
          trigger={
            <Button kind="primary" aria-label={WORKBENCH.runMenu} title={WORKBENCH.runMenu}>
              <ChevronDown aria-hidden="true" />
            </Button>
          }
          items={[
            {
              kind: 'item',
              label: WORDS.runAll,
              disabled: off || busy,
              onSelect: () => session.runs.runAll({ rerun: false }),
            },
            {
              kind: 'item',
              label: WORKBENCH.rerunAllItem,
              disabled: off || busy,
              onSelect: () => session.runs.runAll({ rerun: true }),
            },
            { kind: 'separator' },
            {
              kind: 'item',
              label: WORKBENCH.stopItem,
              disabled: !busy,
              onSelect: () => session.runs.cancelAll(),
            },
          ]}
        />
      </span>
    </span>
  );
}

/**
 * The Run and Stop buttons are replaced when a run starts or ends. If one of them had the focus, the menu button gets
 * it, because it is always present. The other button does not, because a second press of Enter would undo the first.
 */
function useKeptFocus(busy: boolean) {
  const ref = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the buttons are others
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body || !isEnabled(document.activeElement);
    if (hadFocus.current && isLost) ref.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  }, [busy]);
  return {
    ref,
    // Only keyboard focus is preserved: after a click, the user continues in the notebook.
    onFocus: ({ target }: React.FocusEvent) => {
      hadFocus.current = target.matches(':focus-visible');
    },
    // Not fired for a button that is removed or disabled.
    onBlur: () => {
      hadFocus.current = false;
    },
  };
}

function isEnabled(element: Element | null): boolean {
  return element?.matches(':disabled') === false;
}

function StopButton() {
  const session = useSession();
  // The progress of a failed plan stays in the model, so it counts only while its current cell is running.
  const progress = useView(({ model }) => {
    const current = model.progress === null ? undefined : model.cells[model.progress.current_cell_id];
    return current?.cell.status === 'running' ? model.progress : null;
  });
  const stopping = useView(({ model }) => {
    const current = model.order.find((id) => model.cells[id]?.cell.status === 'running');
    return current === undefined ? null : (model.cells[current]?.stopping ?? null);
  });
  return (
    <Button
      {...(stopping === null ? {} : { title: CARD_WORDS.stopNow[stopping] })}
      icon={<Square className="stop-icon" aria-hidden="true" />}
      onClick={() => session.runs.cancelAll()}
    >
      {WORDS.stopAll}
      {progress === null ? '' : ` · ${progress.completed + 1}/${progress.total}`}
    </Button>
  );
}

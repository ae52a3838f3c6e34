import { WORDS } from '../ui/strings.ts';
import { useViewParts } from './context.ts';

/** How many cells are in which state, and whether what was typed is saved. */
export function NotebookFooter() {
  const { running, stale, failed, total } = useViewParts((view) => {
    const counts = { running: 0, stale: 0, failed: 0, total: view.model.order.length };
    for (const id of view.model.order) {
      const status = view.model.cells[id]?.cell.status;
      if (status === 'running') counts.running += 1;
      else if (status === 'stale') counts.stale += 1;
      else if (status === 'error') counts.failed += 1;
    }
    return counts;
  });
  const { drafts, live } = useViewParts((view) => ({
    drafts: Object.keys(view.drafts).length,
    live: view.link.kind === 'live',
  }));
  const words = [
    running > 0 ? WORDS.countRunning(running) : '',
    stale > 0 ? WORDS.countStale(stale) : '',
    failed > 0 ? WORDS.countFailed(failed) : '',
  ].filter((word) => word !== '');
  return (
    <footer className="footer">
      <span>{WORDS.countCells(total)}</span>
      <span className="grow" />
      <span role="status" data-counts>
        {words.join(' · ')}
      </span>
      <span role="status" data-saved={drafts === 0}>
        {drafts === 0 ? WORDS.saved : live ? WORDS.saving : WORDS.unsaved}
      </span>
    </footer>
  );
}

import type { KeyboardEvent } from 'react';

/** Moves the focus among the nodes of a JSON tree, and opens and closes them, by arrow keys, Home and End. */
export function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const nodes = [...event.currentTarget.querySelectorAll<HTMLElement>('.json-toggle')];
  const at = event.target instanceof HTMLElement ? nodes.indexOf(event.target) : -1;
  const node = nodes[at];
  if (node === undefined) return;
  const goal = goalOf(event.key, nodes, at);
  if (goal === null) return;
  event.preventDefault();
  // The arrow keys of the notebook go to other cells.
  event.stopPropagation();
  if (goal === node) node.click();
  else goal?.focus();
}

/** The node that gets the focus; the node itself: it opens or closes; undefined: nothing; null: the key is for others. */
function goalOf(key: string, nodes: readonly HTMLElement[], at: number): HTMLElement | undefined | null {
  const node = nodes[at];
  const isOpen = node?.getAttribute('aria-expanded');
  switch (key) {
    case 'ArrowDown':
      return nodes[at + 1];
    case 'ArrowUp':
      return nodes[at - 1];
    case 'Home':
      return nodes[0];
    case 'End':
      return nodes.at(-1);
    case 'ArrowRight':
      return isOpen === 'false' ? node : nodes[at + 1];
    case 'ArrowLeft':
      return isOpen === 'true' ? node : parentOf(node);
    default:
      return null;
  }
}

function parentOf(node: HTMLElement | undefined): HTMLElement | undefined {
  const children = node?.closest('.json-children');
  return children?.parentElement?.querySelector<HTMLElement>(':scope > .json-toggle') ?? undefined;
}

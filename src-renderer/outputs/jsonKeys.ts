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
  // In the notebook the arrow keys would go to other cells.
  event.stopPropagation();
  if (goal === node) node.click();
  else goal?.focus();
}

/**
 * The node that a key leads to. The node itself: it opens or closes. Undefined: there is no such node. Null: the key is
 * not one of the tree's.
 */
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

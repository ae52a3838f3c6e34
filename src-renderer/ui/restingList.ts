/**
 * The custom element `<resting-list>`, which has the parts of a long page as children and keeps them in groups that are
 * skipped by layout as one while off screen (`restOffscreen.ts`). What the browser does at each frame, and at each key,
 * it then does for a few dozen groups and the parts of those near the viewport, not for every part. React has the parts
 * as the list's own children; the group of a part is decided here, so that a part that is moved remains the same
 * element, with all that is open in it.
 */

import { addGroup, groupChanged, removeGroup } from './restOffscreen.ts';
import { refreshGroup } from './useNearViewport.ts';

/**
 * The number of parts in a group. For a thousand parts, this balances the number of groups against the number of parts
 * in the two or three groups near the viewport.
 */
const SIZE = 24;
const GROUP = 'rest-group';

class RestingList extends HTMLElement {
  override appendChild<T extends Node>(part: T): T {
    const last = this.lastElementChild;
    const group = last instanceof HTMLElement && last.childElementCount < SIZE ? last : this.#newGroup();
    return this.#place(part, group, null);
  }

  override insertBefore<T extends Node>(part: T, before: Node | null): T {
    const group = before?.parentElement ?? null;
    return group === null || before === null ? this.appendChild(part) : this.#place(part, group, before);
  }

  override removeChild<T extends Node>(part: T): T {
    const group = part.parentElement;
    if (group === null) throw new Error('removed twice');
    group.removeChild(part);
    this.#tidy(group);
    return part;
  }

  #place<T extends Node>(part: T, group: HTMLElement, before: Node | null): T {
    const from = part.parentElement;
    const active = part.isConnected ? document.activeElement : null;
    group.insertBefore(part, before);
    // An element that is removed from the page loses the focus, even if it is inserted again immediately.
    if (active instanceof HTMLElement && part.contains(active)) active.focus({ preventScroll: true });
    groupChanged(group);
    if (from !== null && from !== group) {
      this.#tidy(from);
      refreshGroup(group);
    }
    return part;
  }

  #newGroup(): HTMLElement {
    const group = document.createElement('div');
    group.className = GROUP;
    super.appendChild(group);
    if (this.isConnected) addGroup(group);
    return group;
  }

  /** Parts have left a group; an empty group is removed. */
  #tidy(group: HTMLElement): void {
    if (group.childElementCount > 0) groupChanged(group);
    else {
      removeGroup(group);
      group.remove();
    }
  }

  connectedCallback(): void {
    for (const group of this.#groups()) {
      addGroup(group);
      groupChanged(group);
    }
  }

  /** Without this, the groups of a removed list would stay observed. */
  disconnectedCallback(): void {
    for (const group of this.#groups()) removeGroup(group);
  }

  #groups(): readonly HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>(`:scope > .${GROUP}`)];
  }
}

customElements.define('resting-list', RestingList);

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'resting-list': React.HTMLAttributes<HTMLElement>;
    }
  }
}

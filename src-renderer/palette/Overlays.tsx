/** Shows the dialog that is open over the page: command palette, quick open or the list of shortcuts. */

import { useStore } from 'zustand';
import { layoutStore } from '../state/layout.ts';
import { CommandPalette } from './CommandPalette.tsx';
import type { RecentNotebooks } from './QuickOpen.tsx';
import { QuickOpen } from './QuickOpen.tsx';
import { Shortcuts } from './Shortcuts.tsx';

const close = (): void => layoutStore.getState().closeOverlay();

/** The overlays of the page: palette, quick open, shortcuts; at most one is open. */
export function Overlays({ recents }: { recents: RecentNotebooks }) {
  const overlay = useStore(layoutStore, (layout) => layout.overlay);
  switch (overlay) {
    case 'palette':
      return <CommandPalette onClose={close} />;
    case 'quickOpen':
      return <QuickOpen recents={recents} onClose={close} />;
    case 'shortcuts':
      return <Shortcuts onClose={close} />;
    case null:
      return null;
  }
}

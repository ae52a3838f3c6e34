import { useEffect, useState } from 'react';

/**
 * Handles files dragged onto the page; `onDrop` gets the dropped data. Listens in the capture phase, so that no editor
 * inserts a file as text.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onDrop: (data: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Every entered element sends a leave event later: the page is left when the count is zero.
    let depth = 0;
    const withFiles = (act: (data: DataTransfer) => void) => (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.stopPropagation();
      act(event.dataTransfer);
    };
    const listen = {
      dragenter: withFiles(() => {
        depth += 1;
        setOver(true);
      }),
      dragleave: withFiles(() => {
        depth -= 1;
        if (depth <= 0) setOver(false);
      }),
      dragover: withFiles(() => undefined),
      drop: withFiles((data) => {
        depth = 0;
        setOver(false);
        onDrop(data);
      }),
    };
    for (const [name, listener] of Object.entries(listen)) {
      window.addEventListener(name, listener as EventListener, true); // by its name
    }
    return () => {
      for (const [name, listener] of Object.entries(listen)) {
        window.removeEventListener(name, listener as EventListener, true);
      }
    };
  }, [onDrop]);
  return over;
}

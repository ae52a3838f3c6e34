import { useEffect, useState } from 'react';

/**
 * Files dragged onto the page; `onDrop` gets what was dropped. Listened to before anything in the page: no editor
 * takes a file for text.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onDrop: (data: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Every element entered also leaves: only when all are left is the page left.
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

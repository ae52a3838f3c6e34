import { useEffect, useRef, useState } from 'react';
import { afterScrolling } from '../ui/afterScrolling.ts';

/** Hook that reports whether the pointer is over an element, and the event handlers that the element needs for this. */
export function useHovered(): [boolean, { onPointerEnter: () => void; onPointerLeave: () => void }] {
  const [hovered, setHovered] = useState(false);
  const takeBack = useRef<() => void>(undefined);
  useEffect(() => () => takeBack.current?.(), []);
  return [
    hovered,
    {
      onPointerEnter: () => {
        takeBack.current?.();
        takeBack.current = afterScrolling(() => setHovered(true));
      },
      onPointerLeave: () => {
        takeBack.current?.();
        setHovered(false);
      },
    },
  ];
}

import { useEffect, useRef, useState } from 'react';
import { whenStill } from '../ui/whenStill.ts';

/** Whether the pointer is at an element, and what that element has to be given to know. */
export function useHovered(): [boolean, { onPointerEnter: () => void; onPointerLeave: () => void }] {
  const [hovered, setHovered] = useState(false);
  const takeBack = useRef<() => void>(undefined);
  useEffect(() => () => takeBack.current?.(), []);
  return [
    hovered,
    {
      onPointerEnter: () => {
        takeBack.current?.();
        takeBack.current = whenStill(() => setHovered(true));
      },
      onPointerLeave: () => {
        takeBack.current?.();
        setHovered(false);
      },
    },
  ];
}

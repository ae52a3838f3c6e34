import { type RefObject, useEffect } from 'react';

/**
 * Reports the height of an embedded app view to the page around it, now and after every change
 * (docs/spec/widgets-and-app-view.md, 3). The message contains nothing else, so any page may receive it.
 * @param sessionId null: no message is sent
 */
export function useResizeMessages(root: RefObject<HTMLElement | null>, sessionId: string | null): void {
  useEffect(() => {
    const element = root.current;
    if (element === null || sessionId === null || window.parent === window) return;
    let lastHeight = -1;
    const tell = (): void => {
      const height = Math.ceil(element.getBoundingClientRect().height);
      if (height === lastHeight) return;
      lastHeight = height;
      window.parent.postMessage({ type: 'svc:embed:resize', sessionId, height }, '*');
    };
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    tell();
    return () => observer.disconnect();
  }, [root, sessionId]);
}

import { type RefObject, useEffect } from 'react';

/**
 * Tells the page around an embedded app view how high it is, now and whenever that changes (widgets-and-app-view). The
 * message says nothing else, so that any page may hear it.
 * @param sessionId null: nobody is told
 */
export function useResizeMessages(root: RefObject<HTMLElement | null>, sessionId: string | null): void {
  useEffect(() => {
    const element = root.current;
    if (element === null || sessionId === null || window.parent === window) return;
    let told = -1;
    const tell = (): void => {
      const height = Math.ceil(element.getBoundingClientRect().height);
      if (height === told) return;
      told = height;
      window.parent.postMessage({ type: 'svc:embed:resize', sessionId, height }, '*');
    };
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    tell();
    return () => observer.disconnect();
  }, [root, sessionId]);
}

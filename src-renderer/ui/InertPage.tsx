import { useEffect } from 'react';

/**
 * While this is mounted the page below cannot be reached at all. A list that is open over the page hides the page
 * from screen readers; without this, what is hidden could still take the focus.
 */
export function InertPage() {
  useEffect(() => {
    const root = document.getElementById('root');
    if (root === null || root.inert) return;
    root.inert = true;
    return () => {
      root.inert = false;
    };
  }, []);
  return null;
}

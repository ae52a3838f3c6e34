import { useEffect } from 'react';

/**
 * Makes the page inert while it is mounted. An open list over the page hides the page from screen readers; without
 * this, hidden elements could still get the focus.
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

/*
 * Runs before the first paint, so that a window never flashes in colours nobody asked for: puts the kept
 * preferences (src-renderer/theme/preferences.ts), or what the system says, on the page's root. theme.ts does the
 * same again once the app runs, and from then on.
 */
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('cellar.preferences') ?? '{}') ?? {};
  } catch (error) {
    console.warn('the kept preferences could not be read before the first paint', error);
  }
  const system = (query) => window.matchMedia(query).matches;
  const { dataset } = document.documentElement;
  const dark = kept.theme === 'dark' || (kept.theme !== 'light' && system('(prefers-color-scheme: dark)'));
  dataset.theme = dark ? 'dark' : 'light';
  dataset.contrast = kept.contrast === 'more' || system('(prefers-contrast: more)') ? 'more' : 'normal';
  const still = kept.motion === 'reduced' || system('(prefers-reduced-motion: reduce)');
  dataset.motion = still ? 'reduced' : 'full';
})();

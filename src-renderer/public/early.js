/*
 * Runs before the first paint, so that a window never flashes in the wrong colours: applies the stored preferences
 * (src-renderer/theme/preferences.ts), or the system's settings, to the page's root. Once the app runs, theme.ts does
 * this.
 */
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('cellar.preferences') ?? '{}') ?? {};
  } catch (error) {
    console.warn('the stored preferences could not be read before the first paint', error);
  }
  const system = (query) => window.matchMedia(query).matches;
  const { dataset } = document.documentElement;
  const dark = kept.theme === 'dark' || (kept.theme !== 'light' && system('(prefers-color-scheme: dark)'));
  dataset.theme = dark ? 'dark' : 'light';
  dataset.contrast = kept.contrast === 'more' || system('(prefers-contrast: more)') ? 'more' : 'normal';
  const still = kept.motion === 'reduced' || system('(prefers-reduced-motion: reduce)');
  dataset.motion = still ? 'reduced' : 'full';
})();

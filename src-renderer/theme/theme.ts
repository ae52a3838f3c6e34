/**
 * Applies the person's preferences (`preferences.ts`), else the system's settings, to the page, and notifies components
 * that draw themselves. The page has them as `data-theme`, `data-contrast` and `data-motion` on its root; styles use
 * only these, so that a preference and a system setting look the same.
 */
import { DEFAULT_PREFERENCES, PREFERENCES_KEY, type Preferences, parsePreferences } from './preferences.ts';

/** The chosen colour scheme; `auto` follows the system. */
type ThemeChoice = Preferences['theme'];
type Scheme = 'light' | 'dark';

const listeners = new Set<() => void>();
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
const systemContrast = window.matchMedia('(prefers-contrast: more)');
const systemMotion = window.matchMedia('(prefers-reduced-motion: reduce)');

/**
 * The system's settings as last applied. Nothing else reads `matches`: in Chromium a read between a change and its event
 * cancels the event, so that a frame that is drawn at that moment would leave the page in its former colours.
 */
let system = readSystem();

function readSystem() {
  return { isDark: systemDark.matches, hasContrast: systemContrast.matches, isStill: systemMotion.matches };
}

let current = readKept();
/** The colours of the page that is open, such as an app; null: the person's choice. */
let ofPage: Scheme | null = null;

function readKept(): Preferences {
  try {
    return parsePreferences(localStorage.getItem(PREFERENCES_KEY));
  } catch (error) {
    console.warn('preferences cannot be stored in this browser', error);
    return DEFAULT_PREFERENCES;
  }
}

export function preferences(): Preferences {
  return current;
}

/** Changes some preferences, here and in every other window, at once and for good. */
export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify(current));
  } catch (error) {
    console.warn('preferences cannot be stored in this browser: they last as long as this page', error);
  }
  showTheme();
}

export function themeChoice(): ThemeChoice {
  return current.theme;
}

function chooseTheme(theme: ThemeChoice): void {
  setPreferences({ theme });
}

/** Goes round the colours: as the system, light, dark. */
export function nextTheme(): void {
  chooseTheme(({ auto: 'light', light: 'dark', dark: 'auto' } as const)[current.theme]);
}

/** Gives the page that is open colours of its own, without changing the person's choice; null ends that. */
export function setPageTheme(theme: Scheme | null): void {
  if (ofPage === theme) return;
  ofPage = theme;
  showTheme();
}

/** The colours in force now. */
export function scheme(): Scheme {
  if (ofPage !== null) return ofPage;
  if (current.theme !== 'auto') return current.theme;
  return system.isDark ? 'dark' : 'light';
}

/** Whether colours keep the high contrast now. */
export function highContrast(): boolean {
  return current.contrast === 'more' || system.hasContrast;
}

/** Whether nothing may move: for what is scrolled or animated by script. */
export function reducedMotion(): boolean {
  return current.motion === 'reduced' || system.isStill;
}

interface CodeFont {
  /** CSS px. */
  readonly size: number;
  /** CSS px. */
  readonly lineHeight: number;
  readonly ligatures: boolean;
  /** Whether lines are numbered. */
  readonly lines: boolean;
}

/** The typography of code, for components that measure or draw it themselves. */
export function codeFont(): CodeFont {
  return {
    size: current.codeSize,
    lineHeight: Math.round(current.codeSize * 1.6),
    ligatures: current.codeLigatures,
    lines: current.codeLines,
  };
}

/** Calls `listener` when any of the above changes; the answer stops it. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies everything to the page and notifies components that draw themselves (editor, frames). */
export function showTheme(): void {
  system = readSystem();
  const { dataset, style } = document.documentElement;
  dataset['theme'] = scheme();
  dataset['contrast'] = highContrast() ? 'more' : 'normal';
  dataset['motion'] = reducedMotion() ? 'reduced' : 'full';
  const { size, lineHeight, ligatures, lines } = codeFont();
  // Four digits, and the marks that fold: what the live editor takes.
  style.setProperty('--code-left', lines ? 'calc(4ch + 26px)' : '14px');
  style.setProperty('--code-size', `${size}px`);
  style.setProperty('--code-line', `${lineHeight}px`);
  style.setProperty('--code-ligatures', ligatures ? 'normal' : 'none');
  for (const listener of listeners) listener();
}

for (const list of [systemDark, systemContrast, systemMotion]) list.addEventListener('change', showTheme);
// A page in the background may get no event: it is compared with the system when it is looked at again.
document.addEventListener('visibilitychange', followSystem);
window.addEventListener('focus', followSystem);

function followSystem(): void {
  const now = readSystem();
  const same =
    now.isDark === system.isDark && now.hasContrast === system.hasContrast && now.isStill === system.isStill;
  if (!same) showTheme();
}

window.addEventListener('storage', (event) => {
  if (event.key !== PREFERENCES_KEY && event.key !== null) return;
  current = readKept();
  showTheme();
});

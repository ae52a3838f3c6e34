/**
 * Applies the person's preferences (`preferences.ts`), or else the system's settings, to the page, and notifies
 * components that draw themselves. They are set as `data-theme`, `data-contrast` and `data-motion` on the page's root.
 * Styles use only these attributes, so that a preference and a system setting have the same effect.
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
 * The system's settings as last applied. Nothing else may read `matches`: in Chromium, a read between a change and its
 * event cancels the event, and the page would keep its old colours.
 */
let system = readSystem();

function readSystem() {
  return { isDark: systemDark.matches, hasContrast: systemContrast.matches, isStill: systemMotion.matches };
}

let current = readKept();
/** The colour scheme set by the open page, such as an app; null: the person's choice. */
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

/** Changes some preferences, immediately and permanently, in this and every other window. */
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

/** Switches to the next theme: system, light, dark, and again system. */
export function nextTheme(): void {
  chooseTheme(({ auto: 'light', light: 'dark', dark: 'auto' } as const)[current.theme]);
}

/** Sets the colour scheme of the open page without changing the person's choice; null ends that. */
export function setPageTheme(theme: Scheme | null): void {
  if (ofPage === theme) return;
  ofPage = theme;
  showTheme();
}

/** The current colour scheme. */
export function scheme(): Scheme {
  if (ofPage !== null) return ofPage;
  if (current.theme !== 'auto') return current.theme;
  return system.isDark ? 'dark' : 'light';
}

/** Whether high contrast is currently on. */
export function highContrast(): boolean {
  return current.contrast === 'more' || system.hasContrast;
}

/** Whether motion is reduced, for scrolling and animations by script. */
export function reducedMotion(): boolean {
  return current.motion === 'reduced' || system.isStill;
}

interface CodeFont {
  /** In CSS px. */
  readonly size: number;
  /** In CSS px. */
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

/** Calls `listener` when a preference or system setting changes. Returns a function that unsubscribes. */
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
  // As wide as in the live editor: four digits, and the folding marks.
  style.setProperty('--code-left', lines ? 'calc(4ch + 26px)' : '14px');
  style.setProperty('--code-size', `${size}px`);
  style.setProperty('--code-line', `${lineHeight}px`);
  style.setProperty('--code-ligatures', ligatures ? 'normal' : 'none');
  for (const listener of listeners) listener();
}

for (const list of [systemDark, systemContrast, systemMotion]) list.addEventListener('change', showTheme);
// A page in the background may get no event, so the settings are compared when it becomes visible again.
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

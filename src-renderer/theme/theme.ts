/** What colours the person asked for; `auto` follows the system. */
export type ThemeChoice = 'auto' | 'light' | 'dark';
export type Scheme = 'light' | 'dark';

const KEY = 'cellar.theme';
const listeners = new Set<() => void>();
const system = window.matchMedia('(prefers-color-scheme: dark)');

export function themeChoice(): ThemeChoice {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'auto') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  showTheme();
}

/** The colours in force now. */
export function scheme(): Scheme {
  const choice = themeChoice();
  if (choice !== 'auto') return choice;
  return system.matches ? 'dark' : 'light';
}

/** Calls `listener` when the colours change; the answer stops it. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Puts the chosen colours on the page and tells everybody who draws by itself (editor, frames). */
export function showTheme(): void {
  document.documentElement.dataset.theme = scheme();
  for (const listener of listeners) listener();
}

system.addEventListener('change', showTheme);

import { Moon, Sun, SunMoon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { nextTheme, onThemeChange, themeChoice } from '../theme/theme.ts';
import { WORDS } from '../words/strings.ts';

/** Button that cycles through the themes: system, light, dark. */
export function ThemeButton() {
  const choice = useSyncExternalStore(onThemeChange, themeChoice);
  const label = { auto: WORDS.themeAuto, light: WORDS.themeLight, dark: WORDS.themeDark }[choice];
  return (
    <button type="button" className="rail-btn" aria-label={label} title={label} onClick={nextTheme}>
      {choice === 'auto' ? (
        <SunMoon aria-hidden="true" />
      ) : choice === 'light' ? (
        <Sun aria-hidden="true" />
      ) : (
        <Moon aria-hidden="true" />
      )}
    </button>
  );
}

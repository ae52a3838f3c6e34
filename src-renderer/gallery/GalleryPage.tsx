/**
 * Page that shows every component of `ui` in every state, for developers (`#/gallery`) and for the tests of these
 * components.
 */

import './gallery.css';
import { useEffect, useSyncExternalStore } from 'react';
import { onThemeChange, preferences, setPreferences } from '../theme/theme.ts';
import { Logo } from '../ui/Logo.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Switch } from '../ui/Switch.tsx';
import { SETTINGS_WORDS } from '../words/settings.ts';
import { BasicSamples } from './BasicSamples.tsx';
import { ColourSamples } from './ColourSamples.tsx';
import { FieldSamples } from './FieldSamples.tsx';
import { OverlaySamples } from './OverlaySamples.tsx';

/** Every primitive in every state, for developers of the window: `#/gallery`. */
export function GalleryPage() {
  const themePreferences = useSyncExternalStore(onThemeChange, preferences);
  useEffect(() => {
    document.title = 'Gallery';
  }, []);
  return (
    <main className="gallery">
      <header className="gallery-head">
        <a href="#/" aria-label="Cellar">
          <Logo size={22} />
        </a>
        <h1>Gallery</h1>
        <span className="grow" />
        <Segmented
          label={SETTINGS_WORDS.theme}
          value={themePreferences.theme}
          onChange={(theme) => setPreferences({ theme })}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: SETTINGS_WORDS.themes[value],
          }))}
        />
        <Switch
          label={SETTINGS_WORDS.contrast}
          checked={themePreferences.contrast === 'more'}
          onChange={(more) => setPreferences({ contrast: more ? 'more' : 'auto' })}
        />
      </header>
      <BasicSamples />
      <FieldSamples />
      <OverlaySamples />
      <ColourSamples />
    </main>
  );
}

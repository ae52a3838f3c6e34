/** Dialog of the settings that apply to every window of this browser or desktop app, such as theme, fonts and notifications. */

import './settings.css';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { layoutStore } from '../state/layout.ts';
import { notificationPermission, requestNotificationPermission } from '../state/notifications.ts';
import { closeSettings, onSettingsOpen, settingsOpen } from '../state/settingsDialog.ts';
import { CODE_SIZES, DEFAULT_PREFERENCES } from '../theme/preferences.ts';
import { onThemeChange, preferences, setPreferences } from '../theme/theme.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import { Switch } from '../ui/Switch.tsx';
import { SETTINGS_WORDS } from '../words/settings.ts';
import { AgentSettings } from './AgentSettings.tsx';
import { AiSettings } from './AiSettings.tsx';
import { SnippetSettings } from './SnippetSettings.tsx';

/** The settings of every window: stored on this machine and applied immediately. Mounted once. */
export function SettingsDialog() {
  const open = useSyncExternalStore(onSettingsOpen, settingsOpen);
  const themePreferences = useSyncExternalStore(onThemeChange, preferences);
  return (
    <Dialog
      open={open}
      onClose={closeSettings}
      title={SETTINGS_WORDS.title}
      description={SETTINGS_WORDS.about}
      footer={
        <>
          {/* Prices were typed by the user and have no default, so resetting keeps them. */}
          <Button
            onClick={() => setPreferences({ ...DEFAULT_PREFERENCES, aiPrices: themePreferences.aiPrices })}
          >
            {SETTINGS_WORDS.reset}
          </Button>
          <Button kind="primary" onClick={closeSettings}>
            {SETTINGS_WORDS.done}
          </Button>
        </>
      }
    >
      <div className="settings">
        <section>
          <h3>{SETTINGS_WORDS.appearance}</h3>
          <div className="settings-row">
            <span className="switch-label">{SETTINGS_WORDS.theme}</span>
            <Segmented
              label={SETTINGS_WORDS.theme}
              value={themePreferences.theme}
              onChange={(theme) => setPreferences({ theme })}
              options={[
                { value: 'auto', label: SETTINGS_WORDS.themes.auto, icon: <Monitor aria-hidden="true" /> },
                { value: 'light', label: SETTINGS_WORDS.themes.light, icon: <Sun aria-hidden="true" /> },
                { value: 'dark', label: SETTINGS_WORDS.themes.dark, icon: <Moon aria-hidden="true" /> },
              ]}
            />
          </div>
          <Switch
            label={SETTINGS_WORDS.contrast}
            hint={SETTINGS_WORDS.contrastHint}
            checked={themePreferences.contrast === 'more'}
            onChange={(more) => setPreferences({ contrast: more ? 'more' : 'auto' })}
          />
          <Switch
            label={SETTINGS_WORDS.motion}
            hint={SETTINGS_WORDS.motionHint}
            checked={themePreferences.motion === 'reduced'}
            onChange={(reduced) => setPreferences({ motion: reduced ? 'reduced' : 'auto' })}
          />
        </section>
        <section>
          <h3>{SETTINGS_WORDS.code}</h3>
          <div className="settings-row">
            <span className="switch-label">{SETTINGS_WORDS.codeSize}</span>
            <div className="settings-size">
              <Select
                label={SETTINGS_WORDS.codeSize}
                hideLabel
                value={String(themePreferences.codeSize)}
                options={CODE_SIZES.map((size) => ({
                  value: String(size),
                  label: SETTINGS_WORDS.pixels(size),
                }))}
                onChange={(size) => setPreferences({ codeSize: Number(size) })}
              />
            </div>
          </div>
          <Switch
            label={SETTINGS_WORDS.ligatures}
            hint={SETTINGS_WORDS.ligaturesHint}
            checked={themePreferences.codeLigatures}
            onChange={(codeLigatures) => setPreferences({ codeLigatures })}
          />
          <Switch
            label={SETTINGS_WORDS.lines}
            hint={SETTINGS_WORDS.linesHint}
            checked={themePreferences.codeLines}
            onChange={(codeLines) => setPreferences({ codeLines })}
          />
          <Switch
            label={SETTINGS_WORDS.vim}
            hint={SETTINGS_WORDS.vimHint}
            checked={themePreferences.vimKeys}
            onChange={(vimKeys) => setPreferences({ vimKeys })}
          />
          <figure className="settings-sample" aria-label={SETTINGS_WORDS.preview}>
            <code>{'is_new = total != 0 and change >= 1'}</code>
          </figure>
        </section>
        <section>
          <h3>{SETTINGS_WORDS.notebook}</h3>
          <WideSwitch />
          <NotifySwitch chosen={themePreferences.notifyRuns} />
        </section>
        <SnippetSettings />
        <AiSettings chosen={themePreferences} />
        <AgentSettings />
      </div>
    </Dialog>
  );
}

/** In a browser, notifications are off until the browser allows them; the desktop app needs no permission. */
function NotifySwitch({ chosen }: { chosen: boolean }) {
  const [permission, setPermission] = useState(notificationPermission);
  const choose = async (notifyRuns: boolean): Promise<void> => {
    if (notifyRuns) setPermission(await requestNotificationPermission());
    setPreferences({ notifyRuns });
  };
  if (permission === 'missing') return null;
  return (
    <Switch
      label={SETTINGS_WORDS.notify}
      hint={permission === 'denied' ? SETTINGS_WORDS.notifyDenied : SETTINGS_WORDS.notifyHint}
      checked={chosen && permission === 'granted'}
      disabled={permission === 'denied'}
      onChange={(on) => void choose(on)}
    />
  );
}

function WideSwitch() {
  const wide = useStore(layoutStore, (layout) => layout.wide);
  return (
    <Switch
      label={SETTINGS_WORDS.wide}
      hint={SETTINGS_WORDS.wideHint}
      checked={wide}
      onChange={() => layoutStore.getState().toggleWide()}
    />
  );
}

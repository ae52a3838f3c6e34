import { pricesIn } from '../state/assistant/prices.ts';
import type { Preferences } from '../theme/preferences.ts';
import { setPreferences } from '../theme/theme.ts';
import { TextField } from '../ui/Field.tsx';
import { Switch } from '../ui/Switch.tsx';
import { SETTINGS_WORDS } from '../words/settings.ts';

/** Section of the settings dialog about AI suggestions while typing, and the prices of models. */
export function AiSettings({ chosen }: { chosen: Preferences }) {
  const { wrong } = pricesIn(chosen.aiPrices);
  return (
    <section>
      <h3>{SETTINGS_WORDS.ai}</h3>
      <Switch
        label={SETTINGS_WORDS.suggestions}
        hint={SETTINGS_WORDS.suggestionsHint}
        checked={chosen.inlineSuggestions}
        onChange={(inlineSuggestions) => setPreferences({ inlineSuggestions })}
      />
      <TextField
        label={SETTINGS_WORDS.prices}
        hint={SETTINGS_WORDS.pricesHint}
        value={chosen.aiPrices}
        onChange={(aiPrices) => setPreferences({ aiPrices })}
        problem={wrong.length === 0 ? null : SETTINGS_WORDS.pricesWrong(wrong)}
        placeholder="small-1 3 15; large-2 0.5 2"
        spellCheck={false}
        autoComplete="off"
        mono
      />
    </section>
  );
}

import { useSyncExternalStore } from 'react';
import { costOf, pricesIn } from '../../state/assistant/prices.ts';
import { onThemeChange, preferences } from '../../theme/theme.ts';

/** Hook for the cost of a model's tokens in USD by the user's price table; null if the model is not in it. */
export function useCost(
  model: string | null,
  tokens: { readonly input: number; readonly output: number } | null,
): number | null {
  const { aiPrices } = useSyncExternalStore(onThemeChange, preferences);
  return tokens === null ? null : costOf(pricesIn(aiPrices), model, tokens);
}

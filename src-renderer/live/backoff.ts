/**
 * The delay before a lost WebSocket is opened again: milliseconds until attempt number `attempt` (from 0): 1 s,
 * doubling up to 30 s, minus a random part of up to a fifth.
 */
export function retryDelayMs(attempt: number, random: number): number {
  const full = Math.min(30_000, 1_000 * 2 ** Math.min(attempt, 10));
  return Math.round(full * (1 - 0.2 * random));
}

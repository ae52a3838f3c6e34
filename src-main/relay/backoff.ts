/** How long a worker waits before it reconnects to its relay (docs/spec/relay.md, 1, 5). */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * The delay before the next attempt: random between half and all of the current one, which doubles from one
 * second up to sixty. @param failures failed attempts since the last successful handshake; at least 1
 */
export function reconnectDelayMs(failures: number, random: () => number): number {
  const current = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return current / 2 + random() * (current / 2);
}

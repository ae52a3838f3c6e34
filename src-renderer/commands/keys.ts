import type { Command } from './registry.ts';

/** The parts of a key press that a chord is made of. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

/** How long the second key of a sequence (`d d`) may take. */
const SEQUENCE_MS = 900;

/** `Mod+Enter`, `Shift+Enter`, `Alt+ArrowUp`, `j`: Shift is said only where the key itself does not show it. */
export function chordOf(press: Press, isMac: boolean): string {
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const otherMod = isMac ? press.ctrlKey : press.metaKey;
  const parts = [mod ? 'Mod' : '', otherMod ? 'Other' : '', press.altKey ? 'Alt' : ''];
  if (press.shiftKey && press.key.length > 1) parts.push('Shift');
  return [...parts.filter((part) => part !== ''), press.key].join('+');
}

export interface KeyReader {
  /** The command this press completes, if any. Text being composed by an input method is never a command. */
  readonly read: (press: Press, mode: 'command' | 'edit', nowMs: number) => Command | null;
}

/** Reads chords and two-key sequences against the command table. */
export function createKeyReader(commands: readonly Command[], isMac: boolean): KeyReader {
  let first: { chord: string; atMs: number } | null = null;
  return {
    read: (press, mode, nowMs) => {
      if (press.isComposing) return null;
      const chord = chordOf(press, isMac);
      const usable = commands.filter((command) => command.mode === 'any' || command.mode === mode);
      const find = (keys: string): Command | null =>
        usable.find((command) => command.keys.includes(keys)) ?? null;
      const sequence = first !== null && nowMs - first.atMs <= SEQUENCE_MS ? `${first.chord} ${chord}` : null;
      first = null;
      const whole = sequence === null ? null : find(sequence);
      if (whole !== null) return whole;
      const single = find(chord);
      if (
        single === null &&
        usable.some((command) => command.keys.some((keys) => keys.startsWith(`${chord} `)))
      ) {
        first = { chord, atMs: nowMs };
      }
      return single;
    },
  };
}

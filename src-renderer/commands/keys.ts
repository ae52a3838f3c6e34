/**
 * Turns key presses into commands: reads chords (`Mod+Enter`) and two-key sequences (`d d`) against the command table.
 */

import type { Command } from './command.ts';

/** The parts of a key press that a chord is made of. */
export interface Press {
  readonly key: string;
  /** The physical key (`KeyJ`), independent of the keyboard layout. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

/** The longest time, in ms, between the two keys of a sequence (`d d`). */
const SEQUENCE_MS = 900;

/** Keys by their position on the keyboard, for layouts that have other characters there. */
const BY_PLACE: Readonly<Record<string, string>> = { Minus: '-', Space: 'Space', Slash: '/', Backquote: '`' };

/**
 * The chords a key press may mean, most likely first: `Mod+Enter`, `Shift+j`, `Alt+ArrowUp`, `?`. Letters are lower
 * case, with their Shift; a symbol that needs Shift is written as itself. For a layout without Latin letters (or Alt on
 * a Mac, which produces symbols) the physical key is tried too.
 */
export function chordsOf(press: Press, isMac: boolean): readonly string[] {
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const otherMod = isMac ? press.ctrlKey : press.metaKey;
  const modifiers = [mod ? 'Mod' : '', otherMod ? 'Other' : '', press.altKey ? 'Alt' : ''];
  const chord = (key: string, shift: boolean): string =>
    [...modifiers, shift ? 'Shift' : '', key].filter((part) => part !== '').join('+');
  const { key } = press;
  if (key === ' ') return [chord('Space', press.shiftKey)];
  const isLetter = /^[a-z]$/i.test(key);
  // On many layouts a symbol is a dead key, which waits for the letter that it combines with.
  const isSign = (key.length === 1 && !isLetter) || key === 'Dead';
  const own = isLetter ? key.toLowerCase() : key;
  const chords = [chord(own, press.shiftKey && !(isSign && !mod))];
  const place = physicalKey(press.code);
  if (isSign && !/^[0-9]$/.test(key) && place !== null) chords.push(chord(place, press.shiftKey));
  return chords;
}

function physicalKey(code: string): string | null {
  const letter = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? BY_PLACE[code] ?? null;
}

interface KeyReader {
  /** The command this press completes, if any. Text being composed by an input method is never a command. */
  readonly read: (press: Press, mode: 'command' | 'edit', pressedAtMs: number) => Command | null;
}

/** Reads chords and two-key sequences against the command table. */
export function createKeyReader(commands: readonly Command[], isMac: boolean): KeyReader {
  let first: { chords: readonly string[]; atMs: number } | null = null;
  return {
    read: (press, mode, pressedAtMs) => {
      // `Process` also means input-method composition; some browsers do not set `isComposing` with it.
      if (press.isComposing || press.key === 'Process') return null;
      // Pressing Shift for the second key must not discard the first.
      if (['Shift', 'Control', 'Alt', 'Meta'].includes(press.key)) return null;
      const chords = chordsOf(press, isMac);
      const usable = commands.filter((command) => command.mode === 'any' || command.mode === mode);
      const find = (chords: readonly string[]): Command | null => {
        for (const keys of chords) {
          const match = usable.find((command) => command.keys.includes(keys));
          if (match !== undefined) return match;
        }
        return null;
      };
      const prefixes = first !== null && pressedAtMs - first.atMs <= SEQUENCE_MS ? first.chords : [];
      first = null;
      const whole = find(prefixes.flatMap((start) => chords.map((chord) => `${start} ${chord}`)));
      if (whole !== null) return whole;
      const single = find(chords);
      const begins = (chord: string): boolean =>
        usable.some((command) => command.keys.some((keys) => keys.startsWith(`${chord} `)));
      if (single === null && chords.some(begins)) first = { chords, atMs: pressedAtMs };
      return single;
    },
  };
}

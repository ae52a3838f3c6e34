/** Writes a keyboard shortcut (`Mod+Shift+p`) as key labels for the eye and as text for screen readers. */

import { PRIMITIVE_WORDS } from '../words/primitives.ts';

const NAMES = PRIMITIVE_WORDS.keyNames;

/** How keys are labelled; other keys are labelled by their own name. */
const CAPS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Backspace: '⌫',
  Delete: 'Del',
  ' ': 'Space',
};
const MAC_CAPS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Other: '⌃' };
const OTHER_CAPS: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  Shift: 'Shift',
  Alt: 'Alt',
  Other: 'Win',
};

export const IS_MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** The key presses of a shortcut (`Mod+Shift+p`, `d d`), each as a list of key labels. */
export function capsOf(chord: string, isMac: boolean): readonly (readonly string[])[] {
  return chord.split(/ (?=\S)/).map((press) => keysOf(press).map((key) => capOf(key, isMac)));
}

/** The shortcut as text for screen readers: "Control+Enter", "D then D". */
export function chordWords(chord: string, isMac: boolean): string {
  const presses = chord.split(/ (?=\S)/).map((press) =>
    keysOf(press)
      .map((key) => {
        if (key === 'Mod') return isMac ? NAMES.ModMac : NAMES.Mod;
        if (key === 'Alt') return isMac ? NAMES.AltMac : NAMES.Alt;
        return key.length === 1 ? key.toUpperCase() : key.replace('Arrow', 'Arrow ');
      })
      .join('+'),
  );
  return presses.join(` ${NAMES.next} `);
}

/** The keys of one press; the last one may be a plus sign. */
function keysOf(press: string): readonly string[] {
  return press.endsWith('++')
    ? [...press.slice(0, -2).split('+'), '+']
    : press === '+'
      ? ['+']
      : press.split('+');
}

function capOf(key: string, isMac: boolean): string {
  const modifier = (isMac ? MAC_CAPS : OTHER_CAPS)[key];
  return modifier ?? CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

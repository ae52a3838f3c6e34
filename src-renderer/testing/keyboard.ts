/** Keys and pointer for component tests, made with user-event, with shortcuts written as in Playwright. */
import { fireEvent } from '@testing-library/dom';
import userEvent, { type UserEvent } from '@testing-library/user-event';

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'Meta']);

type Person = UserEvent & {
  /** Presses a shortcut such as `Control+Shift+P`. */
  readonly press: (chord: string) => Promise<void>;
  /** Types a text, key by key. */
  readonly write: (text: string) => Promise<void>;
};

let person: Person | null = null;

/** The user of this test; each test has a new one, with no keys held. */
export function user(): Person {
  person ??= newPerson();
  return person;
}

/** Called after a test, so that the next one starts with no keys held. */
export function forgetPerson(): void {
  person = null;
}

function newPerson(): Person {
  // Otherwise user-event would compute the style of each ancestor at every step, although no CSS is loaded.
  const plain = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  const press = async (chord: string): Promise<void> => {
    const { activeElement } = document;
    await plain.keyboard(keysOf(chord));
    // Browser behaviour that user-event lacks.
    if (activeElement === null) return;
    if (chord === 'Shift+F10') fireEvent.contextMenu(activeElement);
    if (chord === 'Enter' && activeElement.tagName === 'SUMMARY') fireEvent.click(activeElement);
  };
  const write = (text: string): Promise<void> => plain.keyboard([...text].map(keyOf).join(''));
  return Object.assign(plain, { press, write });
}

/** One key in the notation of user-event; a character that would start a descriptor is doubled. */
function keyOf(key: string): string {
  if (key === '\n') return '{Enter}';
  if (key === 'Space') return '[Space]';
  if (key.length > 1) return `{${key}}`;
  return /[{[]/.test(key) ? `${key}${key}` : key;
}

/** `Control+Shift+P` in the notation of user-event: `{Control>}{Shift>}P{/Shift}{/Control}`. */
export function keysOf(chord: string): string {
  const parts = chord.split('+');
  const modifiers = parts.filter((part) => MODIFIERS.has(part));
  const key = parts.find((part) => !MODIFIERS.has(part)) ?? '';
  const shifted = modifiers.includes('Shift') && /^[a-z]$/.test(key) ? key.toUpperCase() : key;
  const down = modifiers.map((one) => `{${one}>}`);
  const up = modifiers.toReversed().map((one) => `{/${one}}`);
  return [...down, keyOf(shifted), ...up].join('');
}

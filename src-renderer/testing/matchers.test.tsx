import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keysOf } from './keyboard.ts';
import { PAGE } from './locator.ts';
import { patience } from './waiting.ts';

// A matcher that accepts everything would make the tests of the window worthless, so each must fail when it
// should.
const usual = patience.ms;
beforeAll(() => {
  patience.ms = 0;
});
afterAll(() => {
  patience.ms = usual;
});

beforeEach(() => {
  document.body.innerHTML = `
    <button aria-label="Run cell: loss">Run</button>
    <p hidden>Out of sight</p>
    <details><summary>More</summary><b>Folded</b></details>
    <ul><li>one</li><li>two words</li></ul>
    <input value="typed" disabled>`;
});
afterEach(() => document.body.replaceChildren());

const page = PAGE;
const ABSENT = page.locator('.absent');

test.each<[string, () => Promise<void>]>([
  ['an element that does not exist', () => expect(ABSENT).toBeVisible()],
  ['an element that exists, negated', () => expect(page.locator('button')).not.toBeVisible()],
  ['a hidden element', () => expect(page.locator('p')).toBeVisible()],
  ['an element in a folded section', () => expect(page.getByText('Folded')).toBeVisible()],
  ['a visible element that is said to be hidden', () => expect(page.locator('button')).toBeHidden()],
  ['the text of an element that does not exist', () => expect(ABSENT).toHaveText('')],
  ['part of a text', () => expect(page.locator('li').last()).toHaveText('two')],
  ['a list that is shorter', () => expect(page.locator('li')).toHaveText(['one'])],
  ['a list that is longer', () => expect(page.locator('li')).toHaveText(['one', 'two words', ''])],
  ['several elements where one is expected', () => expect(page.locator('li')).toHaveText('one')],
  ['another count', () => expect(page.locator('li')).toHaveCount(1)],
  ['another attribute', () => expect(page.locator('button')).toHaveAttribute('aria-label', 'Run')],
  ['another element with the focus', () => expect(page.locator('button')).toBeFocused()],
  ['a field that is disabled', () => expect(page.locator('input')).toBeEnabled()],
  ['another value', () => expect(page.locator('input')).toHaveValue('type')],
  ['another name', () => expect(page.locator('button')).toHaveAccessibleName('Run')],
])('fails for %s', async (_name, claim) => {
  await expect(claim()).rejects.toThrow();
});

test('finds by role and name, by text and within', async () => {
  await expect(page.getByRole('button', { name: 'run cell' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Run cell', exact: true })).toHaveCount(0);
  await expect(page.getByText('two')).toHaveText('two words');
  await expect(page.locator('ul', { has: page.locator('li') })).toHaveCount(1);
  await expect(page.locator('li').filter({ hasText: /^one$/ })).toHaveCount(1);
});

test.each([
  ['Control+Shift+P', '{Control>}{Shift>}P{/Shift}{/Control}'],
  ['Shift+j', '{Shift>}J{/Shift}'],
  ['Space', '[Space]'],
  ['Alt+ArrowUp', '{Alt>}{ArrowUp}{/Alt}'],
  ['/', '/'],
  ['[', '[['],
])('%s is pressed as %s', (chord, keys) => {
  expect(keysOf(chord)).toBe(keys);
});

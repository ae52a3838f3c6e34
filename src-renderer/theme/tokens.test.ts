import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Blocks of tokens.css that apply, in order, to each look; later ones win. */
const LOOKS: Readonly<Record<string, readonly string[]>> = {
  light: [':root,[data-theme="light"]'],
  dark: [':root,[data-theme="light"]', '[data-theme="dark"]'],
  'light, high contrast': [':root,[data-theme="light"]', '[data-contrast="more"]'],
  'dark, high contrast': [
    ':root,[data-theme="light"]',
    '[data-theme="dark"]',
    '[data-contrast="more"]',
    '[data-contrast="more"][data-theme="dark"]',
  ],
};
const SURFACES = ['--bg', '--panel', '--card', '--line-soft'];
const SOFTS = ['--accent-soft', '--ok-soft', '--run-soft', '--stale-soft', '--err-soft'];

/** Foreground → its backgrounds. Text is small everywhere. */
const TEXT: Readonly<Record<string, readonly string[]>> = {
  '--ink': [...SURFACES, ...SOFTS, '--select'],
  '--ink-2': [...SURFACES, '--accent-soft', '--stale-soft', '--err-soft'],
  '--ink-3': [...SURFACES, '--accent-soft', '--stale-soft', '--err-soft'],
  '--accent': [...SURFACES, '--accent-soft'],
  '--on-accent': ['--accent', '--accent-hover'],
  '--ok': ['--bg', '--panel', '--card', '--ok-soft'],
  '--run': [...SURFACES, '--run-soft'],
  '--stale': [...SURFACES, '--stale-soft'],
  '--err': [...SURFACES, '--err-soft'],
  '--on-err': ['--err'],
  '--cache': SURFACES,
  '--on-tip': ['--tip'],
  '--code-kw': ['--bg', '--panel', '--card'],
  '--code-str': ['--bg', '--panel', '--card'],
  '--code-num': ['--bg', '--panel', '--card'],
  '--code-com': ['--bg', '--panel', '--card'],
  '--code-fn': ['--bg', '--panel', '--card'],
};
/** Edges of fields, rings and marks: what must be seen to be used. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  '--focus': [...SURFACES, '--accent-soft'],
  '--line-field': ['--bg', '--panel', '--card'],
  '--ink-off': ['--bg', '--panel', '--card'],
  '--ink-3': SURFACES,
};

type Tokens = ReadonlyMap<string, string>;

function tokensOf(look: readonly string[]): Tokens {
  const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const blocks = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector: selector.replace(/\s+/g, ''),
    body,
  }));
  const tokens = new Map<string, string>();
  for (const selectorText of look) {
    const block = blocks.find(({ selector }) => selector === selectorText);
    if (block === undefined) throw new Error(`tokens.css has no block ${selectorText}`);
    for (const [, name = '', value = ''] of block.body.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)) {
      tokens.set(name, value);
    }
  }
  return tokens;
}

/** Relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function tooFaint(
  tokens: Tokens,
  pairs: Readonly<Record<string, readonly string[]>>,
  least: number,
): string[] {
  const colour = (name: string): string => {
    const definition = tokens.get(name);
    if (definition === undefined) throw new Error(`tokens.css has no colour ${name}`);
    return definition;
  };
  return Object.entries(pairs).flatMap(([front, grounds]) =>
    grounds
      .map((ground) => ({ ground, ratio: contrast(colour(front), colour(ground)) }))
      .filter(({ ratio }) => ratio < least)
      .map(({ ground, ratio }) => `${front} on ${ground}: ${ratio.toFixed(2)}, wanted ${least}`),
  );
}

test.each(Object.entries(LOOKS))('adjacent colours can be distinguished: %s', (name, look) => {
  const tokens = tokensOf(look);
  const high = name.includes('high');
  expect([...tooFaint(tokens, TEXT, high ? 7 : 4.5), ...tooFaint(tokens, MARKS, high ? 4.5 : 3)]).toEqual([]);
});

test('in high contrast the lines between things are visible too', () => {
  for (const name of ['light, high contrast', 'dark, high contrast']) {
    expect(tooFaint(tokensOf(LOOKS[name] ?? []), { '--line': ['--bg', '--panel', '--card'] }, 3)).toEqual([]);
  }
});

test('contrast is measured as WCAG does', () => {
  expect([contrast('#000000', '#ffffff'), contrast('#777777', '#ffffff').toFixed(2)]).toEqual([21, '4.48']);
});

/** Rendering Markdown to HTML: callouts, values of cells in text, and which pictures are shown. */

import { expect, it } from 'vitest';
import { valueNames } from '../../src-shared/notebook/textValues.ts';
import { renderMarkdown } from './markdown.ts';
import type { MarkdownContext } from './markdownValues.ts';

const AROUND: MarkdownContext = {
  value: (name) =>
    name === 'total'
      ? { text: '<b>12</b>', isOld: false, cellId: 'c1' }
      : name === 'old'
        ? { text: '7', isOld: true, cellId: 'c2' }
        : null,
  picture: (path) => `http://localhost/picture?path=${encodeURIComponent(path)}`,
};

function drawn(text: string, around?: MarkdownContext): HTMLElement {
  const element = document.createElement('div');
  element.innerHTML = renderMarkdown(text, 'd', around);
  return element;
}

it.each([
  ['NOTE', 'Note', '> [!NOTE]\n> Read *this*.'],
  ['warning', 'Warning', '> [!warning] Read *this*.'],
  ['TIP', 'Tip', '> [!TIP]\n>\n> Read *this*.'],
])('[ED-75] a callout has its title: %s', (kind, title, text) => {
  const quote = drawn(text).querySelector(`blockquote.callout-${kind.toLowerCase()}`);
  expect(quote?.querySelector('.callout-title')?.textContent).toBe(title);
  expect(quote?.querySelector('em')?.textContent).toBe('this');
  expect(quote?.textContent).not.toContain('[!');
});

it.each(['> [!OTHER]\n> text', '> text [!NOTE]', '[!NOTE]\ntext', '> \\[!NOTE]'])(
  '[ED-75] a text without a callout is unchanged: %s',
  (text) => {
    const element = drawn(text);
    expect(element.querySelector('.callout')).toBeNull();
    expect(element.textContent).toContain('[!');
  },
);

it.each<[text: string, words: string, link: string | null, className: string | null]>([
  ['It is {{ total }}.', 'It is <b>12</b>.', '#cell:c1', 'value'],
  ['{{old}}', '7', '#cell:c2', 'value value-old'],
  ['{{ gone }}', '{{ gone }}', null, 'value-missing'],
  ['{{ 1 + 1 }}', '{{ 1 + 1 }}', null, null],
  ['{{ a.b }} {{ f() }}', '{{ a.b }} {{ f() }}', null, null],
  ['`{{ total }}`', '{{ total }}', null, null],
  ['\\{{ total }}', '{{ total }}', null, null],
])(
  '[ED-76] a value is text with a link to its cell, nothing is computed: %s',
  (text, words, link, className) => {
    const element = drawn(text, AROUND);
    expect(element.textContent?.trim()).toBe(words);
    expect(element.querySelector('b, script')).toBeNull();
    expect(element.querySelector('a')?.getAttribute('href') ?? null).toBe(link);
    expect(element.querySelector('[class^=value]')?.className ?? null).toBe(className);
  },
);

it('[ED-76] the text of an output has no values, and names are looked up once', () => {
  expect(drawn('{{ total }}').textContent?.trim()).toBe('{{ total }}');
  expect(valueNames('{{ a }} {{b}} {{ a }} {{ a.b }} {{1}}')).toEqual(['a', 'b']);
});

it.each([
  ['images/a%20b.png', 'images/a b.png'],
  ['./plot.JPG', './plot.JPG'],
])('[ED-77] the picture %s of the folder is shown in a text', (address, path) => {
  const picture = drawn(`![Map](${address})`, AROUND).querySelector('img');
  expect(picture?.getAttribute('src')).toBe(`http://localhost/picture?path=${encodeURIComponent(path)}`);
  expect(picture?.getAttribute('alt')).toBe('Map');
});

it.each([
  ['https://example.org/a.png'],
  ['//example.org/a.png'],
  ['/v1/secret.png'],
  ['file:///etc/a.png'],
  ['images/a.svg'],
  ['notes.html'],
])('[ED-77] no other picture is fetched: %s', (address) => {
  expect(drawn(`![Map](${address})`, AROUND).querySelector('img')).toBeNull();
});

it('[ED-77] the text of an output shows no picture of the folder', () => {
  expect(drawn('![Map](images/a.png)').querySelector('img')).toBeNull();
});

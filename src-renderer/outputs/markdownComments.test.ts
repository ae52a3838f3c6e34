import MarkdownIt from 'markdown-it';
import { expect, it } from 'vitest';
import { leaveOutComments } from './markdownComments.ts';

const markdown = new MarkdownIt({ html: false, breaks: true });
leaveOutComments(markdown);

it.each([
  ['a line of its own', 'one\n\n<!-- two -->\n\nthree', '<p>one</p>\n<p>three</p>\n'],
  ['right below a paragraph', 'one\n<!-- two -->\nthree', '<p>one</p>\n<p>three</p>\n'],
  ['several lines', '<!--\none\n\ntwo\n-->\nthree', '<p>three</p>\n'],
  ['inside a line', 'one <!-- two -->three', '<p>one three</p>\n'],
  ['at the beginning of a line', '<!-- one --> two', '<p> two</p>\n'],
  ['in a list', '- one\n- <!-- two -->three', '<ul>\n<li>one</li>\n<li>three</li>\n</ul>\n'],
  ['one that is not closed is text', 'one <!-- two', '<p>one &lt;!-- two</p>\n'],
  ['in code it is code', '`<!-- one -->`', '<p><code>&lt;!-- one --&gt;</code></p>\n'],
  ['in a block of code too', '```\n<!-- one -->\n```', '<pre><code>&lt;!-- one --&gt;\n</code></pre>\n'],
  ['markup in it is left out with it', '<!-- <script>x()</script> -->', ''],
  ['markup outside it stays text', '<!-- a --><b>c</b>', '<p>&lt;b&gt;c&lt;/b&gt;</p>\n'],
  ['the end of an inner comment ends the outer one', '<!-- a <!-- b --> c -->', '<p> c --&gt;</p>\n'],
])('[WI-11] a comment is left out: %s', (_name, text, html) => {
  expect(markdown.render(text)).toBe(html);
});

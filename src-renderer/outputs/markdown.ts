/** Renders the Markdown of text cells and outputs as safe HTML. */

import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { markdownCallouts } from './markdownCallouts.ts';
import { leaveOutComments } from './markdownComments.ts';
import { markdownMath } from './markdownMath.ts';
import { markdownTasks } from './markdownTasks.ts';
import { contextOfEnv, type MarkdownContext, markdownValues } from './markdownValues.ts';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
leaveOutComments(markdown);
markdown.use(footnotes).use(markdownMath).use(markdownTasks).use(markdownCallouts).use(markdownValues);

const drawFence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (tokens, at, options, env, self) => {
  const token = tokens[at];
  if (token?.info.trim() !== 'mermaid') return drawFence?.(tokens, at, options, env, self) ?? '';
  return `<div class="diagram" data-diagram="true">${markdown.utils.escapeHtml(token.content)}</div>\n`;
};
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
/** The URLs allowed for links and pictures. */
const ADDRESSES = /^(?:https?:|mailto:|#|data:image\/(?:png|jpeg|gif|webp);)/i;

// Only pictures inside the text or the notebook's folder are shown: reading a text must cause no request elsewhere.
const drawPicture = markdown.renderer.rules.image;
markdown.renderer.rules.image = (tokens, at, options, env, self) => {
  const token = tokens[at];
  const source = String(token?.attrGet('src') ?? '');
  if (PICTURE.test(source) && drawPicture !== undefined) return drawPicture(tokens, at, options, env, self);
  const { picture } = contextOfEnv(env) ?? {};
  const path = picture === undefined ? null : pathInFolder(source);
  if (token !== undefined && path !== null && picture !== undefined && drawPicture !== undefined) {
    token.attrSet('src', picture(path));
    return drawPicture(tokens, at, options, env, self);
  }
  const words = OUTPUT_WORDS.pictureElsewhere(token?.content ?? '', source);
  return `<span class="markdown-picture">${markdown.utils.escapeHtml(words)}</span>`;
};

/** The path of a picture below the notebook's folder; null for any other URL. */
function pathInFolder(source: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\#?])/i.test(source) || !/\.(?:png|jpe?g|gif|webp)$/i.test(source))
    return null;
  try {
    return decodeURIComponent(source);
  } catch (error) {
    if (error instanceof URIError) return source;
    throw error;
  }
}

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A' || !node.hasAttribute('href')) return;
  // The page itself scrolls to an anchor in the notebook.
  if (node.getAttribute('href')?.startsWith('#') === true) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/**
 * Markdown as safe HTML: raw HTML is shown as text, scripts and styles are removed, links open in another window.
 * Formulas and diagrams are marked and contain their text, for `enrich`.
 * @param around the values and pictures that a text of the notebook may show
 * @param docId identifies this text in the page, so that footnotes of several texts have different ids
 */
export function renderMarkdown(text: string, docId: string, around: MarkdownContext = {}): string {
  return DOMPurify.sanitize(markdown.render(text, { docId, around }), {
    FORBID_TAGS: ['style', 'form', 'input'],
    ALLOWED_URI_REGEXP: ADDRESSES,
    ADD_ATTR: ['target'],
  });
}

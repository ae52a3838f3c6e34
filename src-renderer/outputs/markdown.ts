import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A' || !node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/** Markdown as clean HTML: raw HTML is text, scripts and styles cannot pass, links open elsewhere. */
export function renderMarkdown(text: string): string {
  return DOMPurify.sanitize(markdown.render(text), {
    FORBID_TAGS: ['style', 'form', 'input'],
    ADD_ATTR: ['target'],
  });
}

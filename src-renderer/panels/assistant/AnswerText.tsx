import { memo, useMemo } from 'react';
import { MarkdownView } from '../../outputs/MarkdownView.tsx';
import { answerParts } from '../../state/assistant/answerParts.ts';
import { CodePart } from './CodePart.tsx';

/**
 * Shows a text written by the AI model in the assistant's panel: Markdown without raw HTML and remote pictures, and
 * code blocks with their buttons.
 */
export const AnswerText = memo(function AnswerText(props: { text: string; cellId: string | null }) {
  const { text, cellId } = props;
  const parts = useMemo(() => answerParts(text), [text]);
  return parts.map((part, at) =>
    part.kind === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end
      <TextPart key={at} text={part.text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end
      <CodePart key={at} info={part.info} text={part.text} isOpen={part.isOpen} cellId={cellId} />
    ),
  );
});

/** Rendered again only when its own text has changed. */
const TextPart = memo(function TextPart({ text }: { text: string }) {
  return <MarkdownView text={text} />;
});

import { memo } from 'react';
import type { Output } from '../../src-shared/wire/output.ts';
import { routeAddress } from '../live/rest.ts';
import { WORDS } from '../ui/strings.ts';
import { useNearViewport } from '../ui/useNearViewport.ts';
import { FrameView } from './FrameView.tsx';
import { JsonOutput } from './JsonOutput.tsx';
import { shortValue } from './jsonText.ts';
import { MarkdownView } from './MarkdownView.tsx';
import { TableView } from './table/TableView.tsx';
import { previewRows } from './table/tablePage.ts';
import type { OutputPlace } from './useBlobText.ts';
import { useBlobText } from './useBlobText.ts';

/** One display of a cell, by its content type (semantics 7.1 and our extension types). */
export const OutputView = memo(function OutputView(props: { output: Output } & OutputPlace) {
  const { output } = props;
  if (output.error !== null || output.content_type === 'error') {
    return (
      <div className="error-quiet">
        {WORDS.outputError}: {output.error ?? shortValue(output.preview)}
      </div>
    );
  }
  switch (output.content_type) {
    case 'arrow/ipc':
      return previewRows(output.preview) === null ? (
        <PlainText text={shortValue(output.preview)} />
      ) : (
        <TableView key={output.artifact_uri} {...props} />
      );
    case 'image/png':
    case 'image/jpeg':
      return <Picture {...props} />;
    case 'text/html':
    case 'image/svg+xml':
      return <FramedOutput {...props} />;
    case 'text/markdown':
      return <MarkdownOutput {...props} />;
    case 'json/object':
      return <JsonOutput key={output.artifact_uri} {...props} />;
    case 'text/plain':
    case 'text/latex':
      return <TextOutput {...props} />;
    default:
      return <PlainText text={shortValue(output.preview)} />;
  }
});

function PlainText({ text }: { text: string }) {
  return <pre className="output-text">{text}</pre>;
}

function Picture({ output, sessionId, cellId, index }: { output: Output } & OutputPlace) {
  const version = output.artifact_uri ?? '';
  const source =
    output.inline_data_url ??
    `${routeAddress('outputBlob', { params: { sid: sessionId, cell_id: cellId, index } })}?v=${encodeURIComponent(version)}`;
  return (
    <img
      className="output-image"
      src={source}
      alt={WORDS.image}
      loading="lazy"
      {...(output.width === null ? {} : { width: output.width })}
      {...(output.height === null ? {} : { height: output.height })}
    />
  );
}

function FramedOutput(props: { output: Output } & OutputPlace) {
  const [ref, near] = useNearViewport<HTMLDivElement>();
  return <div ref={ref}>{near ? <LoadedFrame {...props} /> : <div className="output-frame-ahead" />}</div>;
}

function LoadedFrame({ output, ...place }: { output: Output } & OutputPlace) {
  const text = useBlobText(output, place);
  if (text.kind === 'text') return <FrameView html={text.text} />;
  return <Waiting kind={text.kind} />;
}

function MarkdownOutput({ output, ...place }: { output: Output } & OutputPlace) {
  const text = useBlobText(output, place);
  if (text.kind === 'text') return <MarkdownView text={text.text} />;
  return <Waiting kind={text.kind} />;
}

function TextOutput({ output, ...place }: { output: Output } & OutputPlace) {
  const text = useBlobText(output, place);
  if (text.kind === 'text') return <PlainText text={text.text} />;
  return <Waiting kind={text.kind} />;
}

function Waiting({ kind }: { kind: 'loading' | 'missing' }) {
  return kind === 'loading' ? (
    <div className="output-frame-ahead" aria-busy="true" />
  ) : (
    <div className="error-quiet">{WORDS.outputMissing}</div>
  );
}

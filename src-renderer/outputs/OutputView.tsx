/** Shows one output of a cell (picture, table, text, JSON, figure and so on), chosen by its content type. */

import { memo, useCallback, useRef, useState } from 'react';
import type { Output } from '../../src-shared/wire/output.ts';
import { routeUrl } from '../live/rest.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useNearViewport } from '../ui/useNearViewport.ts';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { bytesText, WORDS } from '../words/strings.ts';
import { displayMath } from './displayMath.ts';
import { FIGURE_HEIGHT, FrameView } from './FrameView.tsx';
import { CountedFrame } from './frame/CountedFrame.tsx';
import type { Release } from './frame/liveFigures.ts';
import { ReleasedFigure } from './frame/ReleasedFigure.tsx';
import { useRelease } from './frame/useRelease.ts';
import { JsonOutput } from './JsonOutput.tsx';
import { shortValue } from './jsonText.ts';
import { LargeGuard } from './LargeGuard.tsx';
import { LongText } from './LongText.tsx';
import { MarkdownView } from './MarkdownView.tsx';
import { OutputMenu } from './OutputMenu.tsx';
import { outputKind } from './outputKind.ts';
import { TableView } from './table/TableView.tsx';
import { previewRows } from './table/tablePage.ts';
import type { TableSource } from './table/useTablePage.ts';
import type { BlobText, OutputPlace } from './useBlobText.ts';
import { useBlobText } from './useBlobText.ts';
import { WidgetView } from './widget/WidgetView.tsx';

type Props = { output: Output } & OutputPlace &
  Pick<TableSource, 'cellName' | 'saveAs' | 'variable' | 'isPandas' | 'insertCell'>;

/** One display of a cell with its menu, by its content type (docs/spec/values.md, 1, and docs/extensions.md). */
export const OutputView = memo(function OutputView(props: Props) {
  const { output, sessionId, cellId, index } = props;
  const [ref, near, leave] = useNearViewport<HTMLDivElement>();
  const height = useRef<number | null>(null);
  const takeAway = useCallback((): void => {
    height.current = ref.current?.offsetHeight ?? null;
    leave();
  }, [ref, leave]);
  const { picture, release } = useRelease(props, {
    version: output.artifact_uri ?? output.preview,
    near,
    leave: takeAway,
  });
  const [collapsed, setCollapsed] = useState(false);
  const [large, setLarge] = useState(false);
  if (output.error !== null || output.content_type === 'error') {
    return (
      <div className="error-quiet">
        {WORDS.outputError}: {output.error ?? shortValue(output.preview)}
      </div>
    );
  }
  const kind = outputKind(output);
  const title = OUTPUT_WORDS.kind[kind === 'other' ? 'text' : kind];
  return (
    <div className="output-shell" ref={ref}>
      {collapsed ? (
        <button type="button" className="output-collapsed" onClick={() => setCollapsed(false)}>
          {OUTPUT_WORDS.collapsed(title)}
        </button>
      ) : (
        <OutputBody
          {...props}
          near={near}
          height={height.current}
          picture={picture}
          onRelease={release}
          onLarge={() => setLarge(true)}
        />
      )}
      {near ? (
        <OutputMenu
          output={output}
          place={{ sessionId, cellId, index }}
          collapsed={collapsed}
          onCollapse={() => setCollapsed(!collapsed)}
          onLarge={() => setLarge(true)}
        />
      ) : null}
      {large ? (
        <Dialog open onClose={() => setLarge(false)} title={title} size="l">
          <div className="output-large">
            <OutputBody {...props} near height={null} picture={null} onRelease={null} onLarge={null} />
          </div>
        </Dialog>
      ) : null}
    </div>
  );
});

interface BodyProps extends Props {
  near: boolean;
  /** The height of the released figure, in CSS px; null if it was never drawn. */
  height: number | null;
  /** The picture of that figure; null if there is none. */
  picture: Blob | null;
  /** Releases the figure until it is near the viewport again; null: it is never released. */
  onRelease: Release | null;
  onLarge: (() => void) | null;
}

function OutputBody(props: BodyProps) {
  const { output, near, height, picture, onRelease, onLarge, ...place } = props;
  switch (outputKind(output)) {
    case 'table':
      return previewRows(output.preview) === null ? (
        <PlainText text={shortValue(output.preview)} />
      ) : (
        <TableView key={output.artifact_uri} output={output} {...place} />
      );
    case 'image':
      return <Picture output={output} onLarge={onLarge} {...place} />;
    case 'svg':
    case 'html':
      return (
        <LargeGuard output={output} place={place}>
          {near ? <LoadedFrame output={output} {...place} /> : <div className="output-frame-ahead" />}
        </LargeGuard>
      );
    case 'figure':
      return (
        <LargeGuard output={output} place={place}>
          {near ? (
            <CountedFrame share={1} onRelease={onRelease}>
              <LoadedFrame output={output} {...place} />
            </CountedFrame>
          ) : (
            <ReleasedFigure picture={picture} height={height ?? FIGURE_HEIGHT} />
          )}
        </LargeGuard>
      );
    case 'markdown':
      return (
        <LargeGuard output={output} place={place}>
          <MarkdownOutput output={output} {...place} />
        </LargeGuard>
      );
    case 'latex':
      return (
        <LargeGuard output={output} place={place}>
          <LatexOutput output={output} {...place} />
        </LargeGuard>
      );
    case 'widget':
      return (
        <LargeGuard output={output} place={place}>
          {near ? (
            <CountedFrame share={widgetShare(output)} onRelease={onRelease}>
              <WidgetView output={output} {...place} />
            </CountedFrame>
          ) : height === null ? (
            <div className="output-frame-ahead" />
          ) : (
            <ReleasedFigure picture={picture} height={height} />
          )}
        </LargeGuard>
      );
    case 'json':
      return <JsonOutput key={output.artifact_uri} output={output} {...place} />;
    case 'text':
      return (
        <LargeGuard output={output} place={place}>
          <TextOutput output={output} {...place} />
        </LargeGuard>
      );
    case 'other':
      return <PlainText text={output.text ?? shortValue(output.preview)} />;
  }
}

/**
 * A widget's memory as a share of a figure's. One of more than a megabyte has a large state or contains a plot library.
 */
const widgetShare = ({ bytes }: Output): number => (bytes > 1_000_000 ? 1 : 1 / 4);

/** A text with more characters than this is drawn in parts. */
const LONG_TEXT = 100_000;

function PlainText({ text }: { text: string }) {
  if (text.length > LONG_TEXT) return <LongText text={text} />;
  return <pre className="output-text">{text}</pre>;
}

/** A picture on a light card, because most are drawn for white paper and the page cannot know which. */
function Picture(props: Props & { onLarge: (() => void) | null }) {
  const { output, sessionId, cellId, index, onLarge } = props;
  const { width, height } = output;
  const version = output.artifact_uri ?? '';
  const source =
    output.inline_data_url ??
    `${routeUrl('outputBlob', { params: { sid: sessionId, cell_id: cellId, index } })}?v=${encodeURIComponent(version)}`;
  const image = (
    <img
      className="output-image"
      src={source}
      alt={width === null || height === null ? WORDS.image : OUTPUT_WORDS.altOf(width, height)}
      loading="lazy"
      // In the large view the picture has its own size.
      {...(width === null || onLarge === null ? {} : { width })}
      {...(height === null || onLarge === null ? {} : { height })}
    />
  );
  if (onLarge === null) return image;
  return (
    <button type="button" className="output-picture" title={OUTPUT_WORDS.openLarge} onClick={onLarge}>
      {image}
    </button>
  );
}

function LoadedFrame({ output, ...place }: Props) {
  const text = useBlobText(output, place);
  if (text.kind !== 'text') {
    const height = outputKind(output) === 'figure' ? FIGURE_HEIGHT : undefined;
    return <Waiting kind={text.kind} bytes={output.bytes} {...(height === undefined ? {} : { height })} />;
  }
  const { sessionId, cellId, index } = place;
  return (
    <FrameView
      text={text.text}
      contentType={output.content_type}
      sessionId={sessionId}
      cellId={cellId}
      index={index}
    />
  );
}

function MarkdownOutput({ output, ...place }: Props) {
  const text = useBlobText(output, place);
  if (text.kind === 'text') return <MarkdownView text={text.text} />;
  return <Waiting kind={text.kind} bytes={output.bytes} />;
}

function LatexOutput({ output, ...place }: Props) {
  const text = useBlobText(output, place);
  if (text.kind === 'text') return <MarkdownView text={displayMath(text.text)} />;
  return <Waiting kind={text.kind} bytes={output.bytes} />;
}

function TextOutput({ output, ...place }: Props) {
  const text = useBlobText(output, place);
  if (text.kind === 'text') return <PlainText text={text.text} />;
  return <Waiting kind={text.kind} bytes={output.bytes} />;
}

interface WaitingProps {
  kind: Exclude<BlobText['kind'], 'text'>;
  bytes: number;
  /** The approximate height of the output in CSS px, if known. */
  height?: number;
}

function Waiting({ kind, bytes, height }: WaitingProps) {
  if (kind === 'missing') return <div className="error-quiet">{WORDS.outputMissing}</div>;
  return (
    <div
      className="output-frame-ahead"
      aria-busy="true"
      {...(height === undefined ? {} : { style: { height } })}
    >
      {bytes > 1_000_000 ? OUTPUT_WORDS.loading(bytesText(bytes)) : null}
    </div>
  );
}

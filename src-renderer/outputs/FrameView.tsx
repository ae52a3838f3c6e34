/** Shows active output (HTML, SVG, figures) in a sandboxed frame without network access. */

import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { WidgetMessage } from '../../src-shared/wire/widgetMessages.ts';
import { onThemeChange, scheme } from '../theme/theme.ts';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { WORDS } from '../words/strings.ts';
import { drawInTurn } from './frame/drawQueue.ts';
import { figureKind, WIDGET_VIEW } from './frame/figures.ts';
import { fileForUrl } from './frame/fileForUrl.ts';
import { namedUrls, readFrameMessage } from './frame/frameMessage.ts';
import { libraryFile } from './frame/libraries.ts';
import { useFramePictures } from './frame/useFramePictures.ts';
import type { OutputPlace } from './useBlobText.ts';

/** The height of a figure that is not drawn yet, in CSS px: most have about this height, so that little moves later. */
export const FIGURE_HEIGHT = 360;

/** What a frame shows: HTML as it is, or the data of a figure that a library of ours draws. */
interface FrameContent {
  readonly text: string;
  readonly contentType: string;
}

/** Connects the widgets of a frame with the process of its cell. */
export interface FrameChannel {
  /** The state that the widgets of the process have now. */
  readonly state: unknown;
  readonly send: (message: WidgetMessage) => void;
  /** Calls back with messages of the process. @returns a function that unsubscribes */
  readonly listen: (onMessages: (messages: readonly WidgetMessage[]) => void) => () => void;
}

/**
 * Active output (HTML, SVG, figures) in its own frame: opaque origin (`allow-scripts` and nothing else), no network by
 * its own policy, and communication with this page only by messages (`frame/frameMessage.ts`).
 * A srcdoc would inherit this page's script policy, so that no output could run; therefore the frame is a document of
 * its own. Libraries are passed in as blobs: the frame may load no URL, not even the server's.
 */
export function FrameView(props: FrameContent & OutputPlace & { readonly channel?: FrameChannel | null }) {
  const { text, contentType, sessionId, cellId, index, channel = null } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const answered = useRef<{ readonly frame: HTMLIFrameElement; isDrawn: boolean } | null>(null);
  const [height, setHeight] = useState(
    figureKind(contentType) !== null && contentType !== WIDGET_VIEW ? FIGURE_HEIGHT : 40,
  );
  const [lacks, setLacks] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<string | null>(null);
  const post = useCallback(
    (message: object): void => frame.current?.contentWindow?.postMessage(message, '*'),
    [],
  );
  const pictures = useFramePictures({ sessionId, cellId, index }, post);
  // A layout effect, because the frame reports only once that it is ready. The output's place is not a dependency: the
  // session id of an open notebook changes when its server restarts, and the frame must stay.
  useLayoutEffect(() => {
    let endTurn = (): void => undefined;
    let stopChannel = (): void => undefined;
    const begin = (place: HTMLIFrameElement): void => {
      endTurn();
      endTurn = drawInTurn(place, () => {
        void show({ text, contentType }, post, channel).catch((error: unknown) => {
          endTurn();
          setFailed(String(error));
        });
      });
    };
    const follow = (): void => {
      stopChannel();
      stopChannel = channel?.listen((messages) => post({ kind: 'comm', messages })) ?? stopChannel;
    };
    const listen = (event: MessageEvent<unknown>): void => {
      if (frame.current === null || event.source !== frame.current.contentWindow) return;
      const message = readFrameMessage(event.data);
      switch (message?.kind) {
        case 'ready':
          // A frame that reloads itself reports ready again.
          answered.current = { frame: frame.current, isDrawn: false };
          begin(frame.current);
          follow();
          return;
        case 'drawn':
          if (answered.current !== null) answered.current.isDrawn = true;
          endTurn();
          return;
        case 'comm':
          channel?.send(message.message);
          return;
        case 'height':
          setHeight(message.px);
          return;
        case 'lacks':
          setLacks((known) => (known.length < 20 ? [...known, message.address] : known));
          return;
        case 'failed':
          setFailed(message.why);
          return;
        case 'want':
          void fileForUrl(message.address).then((blob) => post({ kind: 'got', id: message.id, blob }));
          return;
        case 'pictures':
          pictures.offer(message.formats);
          return;
        case 'picture':
          pictures.answer(message.id, message.blob);
      }
    };
    const earlier = answered.current;
    if (earlier !== null && earlier.frame === frame.current) {
      // Only the channel has changed. The frame may still be waiting for its turn.
      if (!earlier.isDrawn) begin(earlier.frame);
      follow();
    } else {
      setLacks([]);
      setFailed(null);
      pictures.reset();
    }
    window.addEventListener('message', listen);
    const stop = onThemeChange(() => post({ kind: 'theme', theme: frameTheme() }));
    return () => {
      window.removeEventListener('message', listen);
      stop();
      stopChannel();
      endTurn();
    };
  }, [text, contentType, channel, post, pictures]);
  return (
    <>
      <iframe
        key={`${contentType}\n${text}`}
        ref={frame}
        className="output-frame"
        title={WORDS.outputFrame}
        sandbox="allow-scripts"
        src="./outputFrame.html"
        style={{ height }}
      />
      {failed === null ? null : <div className="error-quiet">{OUTPUT_WORDS.figureFailed(failed)}</div>}
      {lacks.length === 0 ? null : (
        <div className="output-lacks" role="status">
          {OUTPUT_WORDS.needsNetwork(namedUrls(lacks, new URL('./', document.baseURI).href))}
        </div>
      )}
    </>
  );
}

/** Sends the frame the window's typeface, its content, and the libraries that draw it. @throws if one does not load */
async function show(
  { text, contentType }: FrameContent,
  post: (message: object) => void,
  channel: FrameChannel | null,
): Promise<void> {
  const bytes = await readTypeface();
  if (bytes !== null) post({ kind: 'font', family: 'Inter Variable', bytes });
  const figure = figureKind(contentType);
  if (figure === null) return post({ kind: 'show', html: text, theme: frameTheme() });
  const scripts = await Promise.all(figure.libraries(text).map(libraryFile));
  const live = channel?.state ?? null;
  post({ kind: 'show', draw: figure.draw, text, scripts, live, theme: frameTheme() });
}

let typeface: Promise<ArrayBuffer | null> | null = null;

/**
 * The bytes of the window's typeface, as a frame may load no font. Null if they did not load: it then has another font.
 */
function readTypeface(): Promise<ArrayBuffer | null> {
  typeface ??= fetch(interLatin)
    .then((answer) => (answer.ok ? answer.arrayBuffer() : null))
    .catch((error: unknown) => {
      console.warn('the typeface for outputs did not load', error);
      typeface = null;
      return null;
    });
  return typeface;
}

function frameTheme() {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    scheme: scheme(),
    ink: token('--ink'),
    quiet: token('--ink-2'),
    line: token('--line'),
    soft: token('--line-soft'),
    accent: token('--accent'),
    family: token('--font-ui'),
    font: `13px/1.5 ${token('--font-ui')}`,
  };
}

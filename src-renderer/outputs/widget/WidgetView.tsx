/** Shows an ipywidget: live while its cell's process is kept, otherwise in its stored state. */

import type { Output } from '../../../src-shared/wire/output.ts';
import { Button } from '../../ui/Button.tsx';
import { OUTPUT_WORDS } from '../../words/outputs.ts';
import { WORDS } from '../../words/strings.ts';
import { FrameView } from '../FrameView.tsx';
import { shortValue } from '../jsonText.ts';
import { type OutputPlace, useBlobText } from '../useBlobText.ts';
import { hasState } from './storedWidget.ts';
import { useWidgetChannel } from './useWidgetChannel.ts';

/** A widget: live while its cell's process is kept, otherwise in the state at the end of the cell's run. */
export function WidgetView({ output, ...place }: { output: Output } & OutputPlace) {
  const text = useBlobText(output, place);
  const live = useWidgetChannel(place);
  if (text.kind === 'missing') return <div className="error-quiet">{WORDS.outputMissing}</div>;
  if (text.kind !== 'text') return <Placeholder />;
  if (!hasState(text.text)) {
    return (
      <>
        <pre className="output-text">{shortValue(output.preview)}</pre>
        <div className="output-lacks" role="status">
          {OUTPUT_WORDS.widgetStateless}
        </div>
      </>
    );
  }
  if (live.kind === 'asking') return <Placeholder />;
  return (
    <>
      <FrameView
        key={live.kind === 'live' ? live.id : 'stored'}
        text={text.text}
        contentType={output.content_type}
        channel={live.kind === 'live' ? live.channel : null}
        {...place}
      />
      {live.kind === 'live' ? null : (
        <div className="output-lacks" role="status">
          {live.why ?? OUTPUT_WORDS.widgetLastState}
          {live.run === null ? null : <Button onClick={live.run}>{OUTPUT_WORDS.widgetRun}</Button>}
        </div>
      )}
    </>
  );
}

function Placeholder() {
  return <div className="output-frame-ahead" aria-busy="true" />;
}

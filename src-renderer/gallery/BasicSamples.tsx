/** Gallery page for developers: samples of buttons, chips, status marks and keys. */

import { Check, Play, Trash2, X } from 'lucide-react';
import { Button, IconButton } from '../ui/Button.tsx';
import { Chip, type ChipTone } from '../ui/Chip.tsx';
import { Keys } from '../ui/Keys.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Progress } from '../ui/Progress.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { type MarkKind, StatusMark } from '../ui/StatusMark.tsx';
import { Sample, Samples } from './Sample.tsx';

const TONES: readonly ChipTone[] = ['plain', 'cache', 'stale', 'run', 'error', 'accent'];
const MARKS: readonly MarkKind[] = ['idle', 'running', 'ready', 'error', 'stale', 'text'];
const CHORDS = ['Mod+Enter', 'Mod+Shift+p', 'Alt+ArrowUp', 'd d', 'Escape', '/'];

export function BasicSamples() {
  return (
    <Samples title="Buttons, marks, progress">
      <Sample name="Button">
        <Button kind="primary" icon={<Play aria-hidden="true" />}>
          Run all
        </Button>
        <Button>Plain</Button>
        <Button kind="danger" icon={<Trash2 aria-hidden="true" />}>
          Delete
        </Button>
        <a className="btn btn-plain" href="#/gallery">
          Gallery as a link
        </a>
      </Sample>
      <Sample name="Button, disabled">
        <Button kind="primary" disabled>
          Run all
        </Button>
        <Button disabled>Plain</Button>
        <Button kind="danger" disabled>
          Delete
        </Button>
      </Sample>
      <Sample name="IconButton">
        <IconButton label="Close" keys="Escape">
          <X aria-hidden="true" />
        </IconButton>
        <IconButton label="Run" tone="round" keys="Mod+Enter">
          <Play aria-hidden="true" />
        </IconButton>
        <IconButton label="Stop" tone="danger">
          <X aria-hidden="true" />
        </IconButton>
        <IconButton label="Not now" disabled>
          <Check aria-hidden="true" />
        </IconButton>
      </Sample>
      <Sample name="Chip">
        {TONES.map((tone) => (
          <Chip key={tone} tone={tone}>
            {tone}
          </Chip>
        ))}
      </Sample>
      <Sample name="StatusMark">
        {MARKS.map((kind) => (
          <span key={kind} className="sample-pair">
            <StatusMark kind={kind} /> {kind}
          </span>
        ))}
      </Sample>
      <Sample name="Keys">
        {CHORDS.map((chord) => (
          <Keys key={chord} chord={chord} />
        ))}
      </Sample>
      <Sample name="Progress">
        {[0, 0.42, 1].map((value) => (
          <Progress key={value} label={`Progress ${value * 100} %`} value={value} />
        ))}
        <Progress label="Progress, running" value={0.6} tone="run" />
        <Progress label="Progress, failed" value={0.6} tone="error" />
        <Progress label="Progress, unknown" value={null} />
      </Sample>
      <Sample name="Spinner">
        <Spinner />
        <Spinner label={null} size={24} />
      </Sample>
      <Sample name="Notice" wide>
        <Notice tone="info">Something to know.</Notice>
        <Notice tone="warn" actions={<Button>Keep mine</Button>}>
          This cell was changed elsewhere while you were typing, and this message is long enough to take two
          lines where there is little room.
        </Notice>
        <Notice tone="error" actions={<Button>Try again</Button>}>
          The server is not responding.
        </Notice>
      </Sample>
    </Samples>
  );
}

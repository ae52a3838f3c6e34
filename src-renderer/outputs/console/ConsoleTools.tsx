import { Check, Copy, Search, SquareArrowOutUpRight, WrapText } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { CONSOLE_WORDS } from '../../words/console.ts';
import { copyText } from '../copyText.ts';
import type { ConsoleLog } from './consoleLog.ts';

/** The buttons above a console: search, wrap lines, copy and so on. */
export function ConsoleTools(props: {
  log: ConsoleLog;
  wrap: boolean;
  onWrap: () => void;
  onFind: () => void;
  onOpenLog?: () => void;
}) {
  const { log, wrap, onWrap, onFind, onOpenLog } = props;
  const [copied, setCopied] = useState(false);
  return (
    <div className="console-tools" role="toolbar" aria-label={CONSOLE_WORDS.tools}>
      <IconButton label={CONSOLE_WORDS.find} onClick={onFind}>
        <Search />
      </IconButton>
      <IconButton label={CONSOLE_WORDS.wrap} aria-pressed={wrap} onClick={onWrap}>
        <WrapText />
      </IconButton>
      <IconButton
        label={copied ? CONSOLE_WORDS.copied : CONSOLE_WORDS.copy}
        onClick={() => void copyText(log.text()).then(setCopied)}
      >
        {copied ? <Check /> : <Copy />}
      </IconButton>
      {onOpenLog === undefined ? null : (
        <IconButton label={CONSOLE_WORDS.openLog} onClick={onOpenLog}>
          <SquareArrowOutUpRight />
        </IconButton>
      )}
    </div>
  );
}

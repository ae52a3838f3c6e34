import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PRIMITIVE_WORDS } from '../../words/primitives.ts';
import { TERMINAL_WORDS as W } from '../../words/terminal.ts';

/** Asks before a URL printed by a program is opened, because any program can print one. */
export function LinkDialog({ printedUrl, onClose }: { printedUrl: string; onClose: () => void }) {
  const url = webUrl(printedUrl);
  return (
    <Dialog
      open
      onClose={onClose}
      title={url === null ? W.badLink : W.openLink}
      size="s"
      footer={
        <>
          <Button onClick={onClose}>{PRIMITIVE_WORDS.cancel}</Button>
          {url === null ? null : (
            <Button
              kind="primary"
              onClick={() => {
                window.open(url, '_blank', 'noopener,noreferrer');
                onClose();
              }}
            >
              {W.open}
            </Button>
          )}
        </>
      }
    >
      <p className="terminal-address">{url ?? printedUrl}</p>
    </Dialog>
  );
}

/**
 * The URL as a browser opens it, with the host in ASCII form (punycode), which exposes letters of other scripts.
 * Null if it is not http or https.
 */
function webUrl(text: string): string | null {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

import { useSession, useView } from '../notebook/context.ts';
import { Button } from '../ui/Button.tsx';
import { useNow } from '../ui/useNow.ts';
import { WORDS } from '../words/strings.ts';

/** Shows the state of the connection to the server in the status bar. */
export function LinkBadge() {
  const session = useSession();
  const link = useView((view) => view.link);
  const now = useNow(link.kind === 'lost', 1_000);
  const seconds = link.kind === 'lost' ? Math.max(0, Math.ceil((link.retryAtMs - now) / 1_000)) : 0;
  const words = {
    connecting: WORDS.connecting,
    live: WORDS.live,
    lost: WORDS.lost,
    closed: WORDS.sessionEnded,
  }[link.kind];
  return (
    <span className={`link link-${link.kind}`} data-link={link.kind}>
      <span className="link-dot" aria-hidden="true" />
      <span role="status">{words}</span>
      {link.kind === 'lost' ? (
        <>
          <span aria-hidden="true">{WORDS.retryIn(seconds)}</span>
          <Button onClick={() => session.retryNow()}>{WORDS.retryNow}</Button>
        </>
      ) : null}
    </span>
  );
}

import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../ui/strings.ts';
import { useSession, useViewParts } from './context.ts';

/** What stands between the person and their notebook, each with what to do about it. */
export function Banners() {
  const session = useSession();
  const { problem, notice, closed, refusal, dagError, folder } = useViewParts((view) => ({
    problem: view.problem,
    notice: view.notice,
    closed: view.model.closed,
    refusal: view.model.refusal,
    dagError: view.model.dagError,
    folder: view.model.meta?.folder_problem ?? null,
  }));
  const dismiss = <Button onClick={() => session.dismissNotice()}>{WORDS.dismiss}</Button>;
  return (
    <div className="banners">
      {problem === null ? null : (
        <Notice
          tone="error"
          actions={
            <a className="btn btn-plain" href="#/">
              {WORDS.backHome}
            </a>
          }
        >
          {problem}
        </Notice>
      )}
      {closed === null ? null : (
        <Notice
          tone="warn"
          actions={
            closed.reason === 'deleted' ? undefined : (
              <Button kind="primary" onClick={() => void session.reopen()}>
                {WORDS.reopen}
              </Button>
            )
          }
        >
          {WORDS.closedReason[closed.reason]}
        </Notice>
      )}
      {folder === null ? null : (
        <Notice tone="error">
          <span data-folder-problem>{folder}</span>
        </Notice>
      )}
      {dagError === null ? null : <Notice tone="error">{dagError}</Notice>}
      {notice === null ? null : (
        <Notice tone="error" actions={dismiss}>
          {notice}
        </Notice>
      )}
      {refusal === null ? null : (
        <Notice tone="error" actions={dismiss}>
          {refusal.error}
        </Notice>
      )}
    </div>
  );
}

import { type ReactNode, useMemo } from 'react';
import { warningFix } from '../../src-shared/notebook/warningFixes.ts';
import type { MutationWarning } from '../../src-shared/wire/output.ts';
import { shownSource } from '../state/notebookStore.ts';
import { CodeWords } from '../ui/CodeWords.tsx';
import { useCell, useSession } from './context.ts';

/** Lists changes that a cell's last run made and that other cells do not see, each with a quick fix if there is one. */
export function MutationWarnings({ id, warnings }: { id: string; warnings: readonly MutationWarning[] }) {
  return warnings.map((warning) => (
    <div className="error-quiet" key={`${warning.var_name} ${warning.message}`}>
      <CodeWords text={[warning.message, warning.suggestion].filter(Boolean).join(' ')} />{' '}
      {warning.fix === undefined ? null : <TakeFix id={id} warning={warning} />}
    </div>
  ));
}

function TakeFix({ id, warning }: { id: string; warning: MutationWarning }): ReactNode {
  const session = useSession();
  const source = useCell(id, (view) => shownSource(view, id));
  const fix = useMemo(() => warningFix(source, warning), [source, warning]);
  if (fix === null) return null;
  return (
    <button
      type="button"
      className="fault-fix"
      onClick={() => void session.shape.writeSources(new Map([[id, fix.source]]), 'fix')}
    >
      {fix.title}
    </button>
  );
}

/** Dialog that shows the value of one variable of the notebook. */

import type { Output } from '../../../src-shared/wire/output.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { TableView } from '../../outputs/table/TableView.tsx';
import { cellName } from '../../state/cellName.ts';
import type { VariableRow } from '../../state/outline.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { bytesText } from '../../words/strings.ts';
import { WORKBENCH } from '../../words/workbench.ts';
import type { VariableFacts } from './variableFacts.ts';

/** Rows on the first page, as in a cell. */
const ROWS = 10;
/** An index that no display of the cell has, so that the table in the dialog has its own sort order and filters. */
const NO_DISPLAY = 1_000;

export interface OpenVariable {
  readonly row: VariableRow;
  readonly facts: VariableFacts;
  readonly shape: string;
}

/** One variable with its value: a table as a table, everything else as text. */
export function VariableDialog({ open, onClose }: { open: OpenVariable | null; onClose: () => void }) {
  const session = useSession();
  const maker = useView((view) => (open === null ? '' : cellName(view.model, open.row.cellId)));
  return (
    <Dialog open={open !== null} onClose={onClose} size="l" title={open?.row.name ?? ''}>
      {open === null ? null : (
        <>
          <p className="variable-facts">
            {[open.facts.type, open.shape, open.facts.bytes === null ? '' : bytesText(open.facts.bytes)]
              .filter(Boolean)
              .join(' · ')}
            {' · '}
            <button
              type="button"
              className="cell-link"
              onClick={() => {
                session.focus(open.row.cellId);
                onClose();
              }}
            >
              {WORKBENCH.variableFrom(maker)}
            </button>
          </p>
          {open.facts.isTable && open.row.uri !== null ? (
            <Table {...open.row} uri={open.row.uri} />
          ) : (
            <pre className="variable-value">{open.facts.preview ?? WORKBENCH.variableNoPreview}</pre>
          )}
        </>
      )}
    </Dialog>
  );
}

function Table({ name, cellId, uri }: { name: string; cellId: string; uri: string }) {
  const sessionId = useView((view) => view.sessionId);
  const maker = useView((view) => cellName(view.model, cellId));
  const call = {
    params: { sid: sessionId, cell_id: cellId },
    query: { artifact_uri: uri, offset: 0, limit: ROWS },
  };
  const { value, problem } = useAnswer('cellData', call, { subject: `${sessionId} ${uri}`, key: '' });
  if (problem !== null) return <Notice tone="error">{problem}</Notice>;
  if (value === null) return <Spinner label={WORKBENCH.variableLoading} />;
  if (!value.pageable) return <Notice tone="error">{WORKBENCH.variableNoPreview}</Notice>;
  const output: Output = {
    content_type: 'arrow/ipc',
    rows: value.total,
    columns: [...value.columns],
    bytes: 0,
    artifact_uri: uri,
    preview: value.rows,
    inline_data_url: null,
    markdown_text: null,
    width: null,
    height: null,
    error: null,
  };
  return (
    <TableView
      {...{ sessionId, cellId, output }}
      cellName={maker}
      saveAs={name}
      variable={name}
      index={NO_DISPLAY}
    />
  );
}

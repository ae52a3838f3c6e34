/** Shows the first rows of a file or table of the Data panel that no cell has read yet. */

import './data.css';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { DATA_WORDS as W } from '../../words/data.ts';
import { catalogSampleOf, type DataSubject, nameOfSubject, sampleOf } from './dataSubject.ts';

/** The first rows of a data source that no cell has read yet. */
export function DataPreview(props: {
  readonly subject: DataSubject;
  readonly onClose: () => void;
  readonly onAddCell: () => void;
}) {
  const { subject, onClose, onAddCell } = props;
  const sid = useView((view) => view.sessionId);
  const ask = { subject: JSON.stringify(subject), key: sid };
  const ofNotebook = useAnswer(
    'sampleData',
    subject.of === 'catalog' ? null : { params: { sid }, body: sampleOf(subject) },
    ask,
  );
  const ofCatalog = useAnswer('sampleTable', subject.of === 'catalog' ? catalogSampleOf(subject) : null, ask);
  const { value, problem, loading, again } = subject.of === 'catalog' ? ofCatalog : ofNotebook;
  return (
    <Dialog
      open
      size="l"
      onClose={onClose}
      title={W.firstRows(nameOfSubject(subject))}
      footer={
        <>
          <Button onClick={onClose}>{W.close}</Button>
          <Button kind="primary" onClick={onAddCell}>
            {W.addCell}
          </Button>
        </>
      }
    >
      {problem === null || loading ? null : (
        <Notice tone="error" actions={<Button onClick={again}>{W.retry}</Button>}>
          {problem}
        </Notice>
      )}
      {loading ? <Spinner label={W.reading} /> : null}
      {value === null ? null : (
        <Rows columns={value.columns} rows={value.rows} name={nameOfSubject(subject)} />
      )}
    </Dialog>
  );
}

function Rows(props: {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly name: string;
}) {
  const { columns, rows, name } = props;
  if (columns.length === 0) return <p className="panel-quiet">{W.noColumns}</p>;
  return (
    // The section can have the focus, so that a wide table is scrolled by keys.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="data-rows" aria-label={W.firstRows(name)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={isNumber(column.type) ? 'data-number' : undefined}>
                {column.name}
                <span className="schema-type">{column.type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sample have no identity and never change
            <tr key={at}>
              {columns.map((column, nth) => (
                <Value key={column.name} value={row[nth]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className="panel-quiet">{W.noRows}</p> : null}
    </section>
  );
}

function isNumber(type: string): boolean {
  return /^(?:u?int|float|double|decimal)/i.test(type);
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <td className="data-null">null</td>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <td className={typeof value === 'number' ? 'data-number' : undefined}>{text}</td>;
}

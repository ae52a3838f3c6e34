import type { ImportReport } from './importReport.ts';

/** The report of a Jupyter or snapshot import, cell by cell; a cell's name opens the notebook at this cell. */
export function ReportView(props: { report: ImportReport; onCell: (cellId: string) => void }) {
  const { report, onCell } = props;
  return (
    <div className="import-report">
      {report.words.map((words) => (
        <p key={words}>{words}</p>
      ))}
      {report.sections.map(({ title, isCode, items }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {items.map(({ cell, text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell may say the same twice
              <li key={at}>
                {cell === null ? null : (
                  <button type="button" className="link-btn" onClick={() => onCell(cell.id)}>
                    {cell.name}
                  </button>
                )}
                {text === '' ? null : isCode ? <code>{text}</code> : <span>{text}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

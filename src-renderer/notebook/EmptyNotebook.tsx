import './emptyNotebook.css';
import { FileInput, PenLine, Terminal } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { addDataFiles } from '../live/addDataFiles.ts';
import { EMPTY_WORDS as W } from '../words/emptyNotebook.ts';
import { useSession } from './context.ts';

/** Shown for a notebook without cells: three ways to start. */
export function EmptyNotebook() {
  const session = useSession();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="empty">
      <h1>{W.title}</h1>
      <p>{W.text}</p>
      <div className="empty-ways">
        <Way
          icon={<Terminal aria-hidden="true" />}
          title={W.code}
          hint={W.codeHint}
          onClick={() => void session.shape.addCell({ afterId: null, language: 'python' })}
        />
        <Way
          icon={<FileInput aria-hidden="true" />}
          title={W.data}
          hint={W.dataHint}
          onClick={() => chooser.current?.click()}
        />
        <Way
          icon={<PenLine aria-hidden="true" />}
          title={W.write}
          hint={W.writeHint}
          onClick={() => void session.shape.addCell({ afterId: null, language: 'markdown' })}
        />
      </div>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={W.data}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          void addDataFiles(
            session,
            files.map((file) => ({ file, isFolder: false })),
          );
        }}
      />
    </div>
  );
}

function Way(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly hint: string;
  readonly onClick: () => void;
}) {
  const { icon, title, hint, onClick } = props;
  return (
    <button type="button" className="empty-way" onClick={onClick}>
      {icon}
      <strong>{title}</strong>
      <span>{hint}</span>
    </button>
  );
}

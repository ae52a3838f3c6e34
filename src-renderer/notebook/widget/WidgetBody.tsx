/** The body of a widget cell: its controls, or the text that declares them. */

import '../../outputs/output.css';
import './widget.css';
import { CodeXml } from 'lucide-react';
import { memo } from 'react';
import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import { spliceDirective } from '../../../src-shared/notebook/spliceDirective.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { cellTitle } from '../../state/cellName.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { WIDGET_WORDS as W } from '../../words/widget.ts';
import { useCell, useSession } from '../context.ts';
import { WidgetControls } from './WidgetControls.tsx';

export function showsControls({ widget }: Cell): boolean {
  return widget !== undefined && widget.descriptors.length > 0;
}

/** A widget cell in use: its controls, and a button that shows the text that declares them. */
export const WidgetBody = memo(function WidgetBody(props: {
  id: string;
  model: CellModel;
  editing: boolean;
}) {
  const { id, model, editing } = props;
  const session = useSession();
  const source = useCell(id, (view) => shownSource(view, id));
  if (!showsControls(model.cell)) return null;
  const isLive = parseAnnotations(source, 'widget').live;
  const name = cellTitle(model.cell) ?? id;
  return (
    <div className="widget-body">
      <WidgetControls id={id} cell={model.cell} name={name} />
      {editing ? null : (
        <div className="widget-foot">
          <Switch
            label={W.live}
            hint={W.liveHint}
            checked={isLive}
            onChange={(on) => {
              const text = spliceDirective(source, 'live', on ? '' : null);
              void session.shape.writeSources(new Map([[id, text]]), 'edit');
            }}
          />
          <Button
            icon={<CodeXml aria-hidden="true" />}
            onClick={() => {
              session.focus(id, 'edit');
            }}
          >
            {W.edit}
          </Button>
        </div>
      )}
    </div>
  );
});

/**
 * The bar above a cell of an app view whose layout is edited: joins or splits slides, shows the code, leaves the cell
 * out.
 */

import './edit.css';
import { Code, EyeOff, GripVertical, ListEnd, SquareSplitVertical } from 'lucide-react';
import { showsCode } from '../../../src-shared/notebook/app/inApp.ts';
import { slidesOf } from '../../../src-shared/notebook/app/slides.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { AppKind, PlacementEdit } from '../../../src-shared/wire/appLayout.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import { useSession, useViewParts } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { APP_WORDS as W } from '../../words/appLayout.ts';
import { appPartsOf } from '../arrange/appParts.ts';
import { partName } from '../arrange/partName.ts';
import { TabOfCell } from './TabOfCell.tsx';

/** What can be done with one cell of an app whose layout is edited. */
export function EditBar({ id, kind }: { id: string; kind: AppKind }) {
  const session = useSession();
  const { name, hasCode, isCodeShown, slide, isFirst } = useViewParts((view) => {
    const layout = appLayoutOf(view);
    const cell = view.model.cells[id]?.cell;
    const language = cell === undefined ? null : LANGUAGES[cell.language];
    return {
      name: partName(view.model, id),
      hasCode: language?.runs === true && !language.hasControls,
      isCodeShown: cell !== undefined && showsCode(cell, layout),
      slide: layout.cells[id]?.slide ?? null,
      isFirst: kind === 'slides' && slidesOf(appPartsOf(view).shown, layout, view.model.order)[0]?.[0] === id,
    };
  });
  const change = (edit: PlacementEdit): void => void session.appLayouts.change({ cells: { [id]: edit } });
  return (
    <div className="app-bar" role="toolbar" aria-label={W.cell(name)}>
      {kind === 'grid' ? (
        <span className="app-grip" title={W.grip(name)} aria-hidden="true">
          <GripVertical />
        </span>
      ) : null}
      <span className="app-bar-name">{name}</span>
      {kind === 'tabs' ? <TabOfCell id={id} name={name} /> : null}
      {kind === 'slides' ? (
        <IconButton
          label={slide === 'join' ? W.split(name) : W.join(name)}
          disabled={isFirst}
          onClick={() => change({ slide: slide === 'join' ? null : 'join' })}
        >
          {slide === 'join' ? <SquareSplitVertical aria-hidden="true" /> : <ListEnd aria-hidden="true" />}
        </IconButton>
      ) : null}
      {hasCode ? (
        <IconButton
          label={isCodeShown ? W.hideCode(name) : W.showCode(name)}
          aria-pressed={isCodeShown}
          onClick={() => change({ code: !isCodeShown })}
        >
          <Code aria-hidden="true" />
        </IconButton>
      ) : null}
      <IconButton label={W.hide(name)} onClick={() => change({ shown: false })}>
        <EyeOff aria-hidden="true" />
      </IconButton>
    </div>
  );
}

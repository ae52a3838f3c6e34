/** The menu of one output of a cell: copy, download, save as a picture. */

import { Ellipsis } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { Output } from '../../src-shared/wire/output.ts';
import { RestError, routeUrl } from '../live/rest.ts';
import { IconButton } from '../ui/Button.tsx';
import type { MenuItem } from '../ui/Menu.tsx';
import { Menu } from '../ui/Menu.tsx';
import { saveFrom } from '../ui/saveFrom.ts';
import { toast } from '../ui/Toast.tsx';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { copyText } from './copyText.ts';
import {
  onPictures,
  type PictureFormat,
  type PictureSource,
  pictureSource,
  takePicture,
} from './frame/pictures.ts';
import { copiedBytes, outputBytes } from './outputBytes.ts';
import { outputFileName, outputKind } from './outputKind.ts';
import { saveBlob } from './saveBlob.ts';
import type { OutputPlace } from './useBlobText.ts';

/** The menu of one output. */
export function OutputMenu(props: {
  output: Output;
  place: OutputPlace;
  collapsed: boolean;
  onCollapse: () => void;
  onLarge: () => void;
}) {
  const { output, place, collapsed, onCollapse, onLarge } = props;
  const kind = outputKind(output);
  // Once a frame has drawn, it reports the formats in which it can be saved.
  const pictures = useSyncExternalStore(onPictures, () => pictureSource(place));
  const items: MenuItem[] = [
    ...(kind === 'table' ? [] : ownItems(output, place, { onLarge, pictures })),
    {
      kind: 'item',
      label: collapsed ? OUTPUT_WORDS.expand : OUTPUT_WORDS.collapse,
      onSelect: onCollapse,
    },
  ];
  return (
    <span className="output-tools">
      <Menu
        label={OUTPUT_WORDS.menu}
        align="end"
        items={items}
        trigger={
          <IconButton label={OUTPUT_WORDS.menu}>
            <Ellipsis />
          </IconButton>
        }
      />
    </span>
  );
}

/**
 * The items of an output other than a table. A table is copied by cells and exported by the server, so it has other
 * items.
 */
function ownItems(
  output: Output,
  place: OutputPlace,
  { onLarge, pictures }: { onLarge: () => void; pictures: PictureSource | null },
): MenuItem[] {
  const isImage = output.content_type === 'image/png';
  return [
    {
      kind: 'item',
      label: isImage ? OUTPUT_WORDS.copyImage : OUTPUT_WORDS.copy,
      onSelect: () => void reportCopy(copy(output, place)),
    },
    ...pictureItems(output, place, pictures),
    { kind: 'item', label: OUTPUT_WORDS.download, onSelect: () => void download(output, place) },
    { kind: 'item', label: OUTPUT_WORDS.openLarge, onSelect: onLarge },
    { kind: 'separator' },
  ];
}

/** The items for pictures of a figure, chart or drawing in a frame, which the frame itself draws. */
function pictureItems(output: Output, place: OutputPlace, pictures: PictureSource | null): MenuItem[] {
  const formats = pictures?.formats ?? [];
  const save = (format: PictureFormat) => () => void savePicture(output, place, format);
  return [
    ...(formats.includes('png')
      ? [
          { kind: 'item', label: OUTPUT_WORDS.copyAsPng, onSelect: () => void copyPicture(place) } as const,
          { kind: 'item', label: OUTPUT_WORDS.savePng, onSelect: save('png') } as const,
        ]
      : []),
    ...(formats.includes('svg')
      ? [{ kind: 'item', label: OUTPUT_WORDS.saveSvg, onSelect: save('svg') } as const]
      : []),
  ];
}

async function savePicture(output: Output, place: OutputPlace, format: PictureFormat): Promise<void> {
  const blob = await takePicture(place, format);
  if (blob === null) toast(OUTPUT_WORDS.noPicture, { tone: 'error' });
  else saveBlob(blob, `${outputFileName(output, place).replace(/\.[^.]*$/, '')}.${format}`);
}

async function copyPicture(place: OutputPlace): Promise<void> {
  const blob = await takePicture(place, 'png');
  if (blob === null) toast(OUTPUT_WORDS.noPicture, { tone: 'error' });
  else toast((await copyPng(blob)) ? OUTPUT_WORDS.copied : OUTPUT_WORDS.copyRefused);
}

async function copy(output: Output, place: OutputPlace): Promise<boolean> {
  const blob = await copiedBytes(output, place);
  return output.content_type === 'image/png' ? copyPng(blob) : copyText(await blob.text());
}

async function copyPng(blob: Blob): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

async function reportCopy(done: Promise<boolean>): Promise<void> {
  try {
    toast((await done) ? OUTPUT_WORDS.copied : OUTPUT_WORDS.copyRefused);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    toast(error.message, { tone: 'error' });
  }
}

/** Downloads an output. A stored one is fetched by the browser itself, so that 200 MB never pass through the page. */
export async function download(output: Output, place: OutputPlace): Promise<void> {
  const name = outputFileName(output, place);
  const { sessionId, cellId, index } = place;
  if (output.artifact_uri === null) {
    saveBlob(await outputBytes(output, place), name);
    return;
  }
  saveFrom(routeUrl('outputBlob', { params: { sid: sessionId, cell_id: cellId, index } }), name);
}

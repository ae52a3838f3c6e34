/** Gallery page for developers: samples of dialogs, menus, tooltips and messages. */

import { Copy, Ellipsis, Inbox, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { TextField } from '../ui/Field.tsx';
import { ContextMenu, Menu, type MenuItem } from '../ui/Menu.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { toast } from '../ui/Toast.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { Sample, Samples } from './Sample.tsx';

const SIZES = ['s', 'm', 'l'] as const;
const TONES = ['plain', 'ok', 'warn', 'error'] as const;

export function OverlaySamples() {
  const [dialog, setDialog] = useState<(typeof SIZES)[number] | null>(null);
  const [checked, setChecked] = useState(true);
  const [tab, setTab] = useState<'rows' | 'summary' | 'empty'>('rows');
  const items: readonly MenuItem[] = [
    { kind: 'heading', label: 'Cell' },
    { kind: 'item', label: 'Rename', icon: <Pencil />, keys: 'F2', onSelect: () => toast('Rename') },
    { kind: 'item', label: 'Copy', icon: <Copy />, keys: 'Mod+c', onSelect: () => toast('Copied') },
    { kind: 'check', label: 'Wide column', checked, onSelect: () => setChecked(!checked) },
    {
      kind: 'submenu',
      label: 'Run on',
      items: [{ kind: 'item', label: 'this computer', onSelect: () => toast('Here') }],
    },
    { kind: 'item', label: 'Not now', disabled: true, onSelect: () => undefined },
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'Delete',
      icon: <Trash2 />,
      danger: true,
      keys: 'd d',
      onSelect: () => toast('Deleted'),
    },
  ];
  return (
    <Samples title="Menus, dialogs, messages">
      <Sample name="Menu">
        <Menu label="Actions" items={items} trigger={<Button>Actions</Button>} />
        <Menu
          label="More"
          items={items}
          align="end"
          trigger={
            <IconButton label="More">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          }
        />
      </Sample>
      <Sample name="ContextMenu">
        <ContextMenu label="Of this place" items={items}>
          <button type="button" className="sample-target">
            Press the right mouse button, or the menu key, here
          </button>
        </ContextMenu>
      </Sample>
      <Sample name="Dialog">
        {SIZES.map((size) => (
          <Button key={size} onClick={() => setDialog(size)}>
            Dialog {size}
          </Button>
        ))}
        <Dialog
          open={dialog !== null}
          onClose={() => setDialog(null)}
          size={dialog ?? 'm'}
          title="Attach worker"
          description="Cells can run there; results are copied back and stored here."
          footer={
            <>
              <Button onClick={() => setDialog(null)}>Cancel</Button>
              <Button kind="primary" onClick={() => setDialog(null)}>
                Attach
              </Button>
            </>
          }
        >
          <TextField label="Address" value="" mono placeholder="https://" onChange={() => undefined} />
        </Dialog>
      </Sample>
      <Sample name="Tooltip">
        <Tooltip words="Runs the cell and goes to the next" keys="Shift+Enter">
          <Button>Rest here</Button>
        </Tooltip>
      </Sample>
      <Sample name="Toast">
        {TONES.map((tone) => (
          <Button
            key={tone}
            onClick={() =>
              toast(`A message, ${tone}`, { tone, action: { label: 'Undo', run: () => undefined } })
            }
          >
            {tone}
          </Button>
        ))}
      </Sample>
      <Sample name="Tabs">
        <Tabs
          label="Result"
          value={tab}
          onChange={setTab}
          actions={
            <IconButton label="Add">
              <Plus aria-hidden="true" />
            </IconButton>
          }
          tabs={[
            { id: 'rows', label: 'Rows', count: 334, content: <p className="sample-text">Rows.</p> },
            { id: 'summary', label: 'Summary', content: <p className="sample-text">Summary.</p> },
            { id: 'empty', label: 'Messages', content: <p className="sample-text">None.</p> },
          ]}
        />
      </Sample>
      <Sample name="EmptyState">
        <EmptyState
          icon={<Inbox />}
          title="Nothing here yet"
          actions={<Button kind="primary">Add one</Button>}
        >
          Why there is nothing, and what can be done.
        </EmptyState>
      </Sample>
      <Sample name="EmptyState, small">
        <EmptyState size="s" title="No cell selected">
          Select a cell to see its inputs.
        </EmptyState>
      </Sample>
    </Samples>
  );
}

import { Handle, Position } from '@xyflow/react';

/** Where edges meet a cell: in at the left, out at the right; edges cannot be dragged. */
export function CellNodeHandles() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

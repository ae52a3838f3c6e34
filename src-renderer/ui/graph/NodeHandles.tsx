import { Handle, Position } from '@xyflow/react';

/** Where edges meet a node: in at the left, out at the right; edges cannot be dragged. */
export function NodeHandles() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

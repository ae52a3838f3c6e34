import { Handle, Position } from '@xyflow/react';

/** Where edges meet a node: incoming at the left, outgoing at the right. Edges cannot be dragged. */
export function NodeHandles() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

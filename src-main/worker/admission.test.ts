import { describe, expect, it } from 'vitest';
import { Admission, type Slot } from './admission.ts';
import { WorkerRefusal } from './refusal.ts';

function reserve(admission: Admission): Slot | string {
  try {
    return admission.reserve();
  } catch (error) {
    if (error instanceof WorkerRefusal) return `${error.status} ${error.message} ${error.retryAfterSeconds}`;
    throw error;
  }
}

describe('[WK-20] admission of executions', () => {
  it('admits up to the maximum, and refuses more with a retry-after time', () => {
    const admission = new Admission({ maxConcurrent: 2, gpuSlots: null });
    const [first, second] = [reserve(admission), reserve(admission)];
    expect(reserve(admission)).toBe('503 Worker is running 2 of 2 executions 5');
    expect(admission.active).toBe(2);
    for (const slot of [first, first]) if (typeof slot !== 'string') slot.release();
    expect(admission.active).toBe(1);
    expect(typeof reserve(admission)).toBe('object');
    expect(typeof second).toBe('object');
  });

  it('assigns each GPU to one execution, the lowest free one first; a refusal assigns none', () => {
    const admission = new Admission({ maxConcurrent: null, gpuSlots: 2 });
    const slots = [reserve(admission), reserve(admission)];
    expect(slots.map((slot) => typeof slot !== 'string' && slot.gpu)).toEqual([0, 1]);
    expect(reserve(admission)).toBe('503 All 2 GPU slots are in use 5');
    expect([admission.active, admission.freeGpuSlots]).toEqual([2, 0]);
    const [first] = slots;
    if (typeof first === 'object') first.release();
    expect(reserve(admission)).toMatchObject({ gpu: 0 });
  });

  it.each([
    [null, null, null, null],
    [3, null, 3, 2],
    [null, 2, 2, 1],
    [3, 1, 1, 0],
  ])(
    '[WK-48] a limit of %s cells and %s GPUs give %s free slots, and %s while one cell runs',
    (maxConcurrent, gpuSlots, free, remaining) => {
      const admission = new Admission({ maxConcurrent, gpuSlots });
      expect(admission.freeSlots).toBe(free);
      reserve(admission);
      expect(admission.freeSlots).toBe(remaining);
    },
  );

  it('checks the maximum before the GPUs', () => {
    const admission = new Admission({ maxConcurrent: 1, gpuSlots: 1 });
    reserve(admission);
    expect(reserve(admission)).toContain('1 of 1 executions');
  });
});

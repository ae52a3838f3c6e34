import { describe, expect, it } from 'vitest';
import { Admission, type Place } from './admission.ts';
import { WorkerRefusal } from './refusal.ts';

function reserve(admission: Admission): Place | string {
  try {
    return admission.reserve();
  } catch (error) {
    if (error instanceof WorkerRefusal) return `${error.status} ${error.message} ${error.retryAfterSeconds}`;
    throw error;
  }
}

describe('[WK-20] who may run now', () => {
  it('so many at once, the rest is refused with the time to come back', () => {
    const admission = new Admission({ maxConcurrent: 2, gpuSlots: null });
    const [first, second] = [reserve(admission), reserve(admission)];
    expect(reserve(admission)).toBe('503 Worker is running 2 of 2 executions 5');
    expect(admission.active).toBe(2);
    for (const place of [first, first]) if (typeof place !== 'string') place.release();
    expect(admission.active).toBe(1);
    expect(typeof reserve(admission)).toBe('object');
    expect(typeof second).toBe('object');
  });

  it('each GPU to one, the lowest free one first; a refusal takes nothing', () => {
    const admission = new Admission({ maxConcurrent: null, gpuSlots: 2 });
    const places = [reserve(admission), reserve(admission)];
    expect(places.map((place) => typeof place !== 'string' && place.gpu)).toEqual([0, 1]);
    expect(reserve(admission)).toBe('503 All 2 GPU slots are in use 5');
    expect([admission.active, admission.freeGpuSlots]).toEqual([2, 0]);
    const [first] = places;
    if (typeof first === 'object') first.release();
    expect(reserve(admission)).toMatchObject({ gpu: 0 });
  });

  it.each([
    [null, null, null, null],
    [3, null, 3, 2],
    [null, 2, 2, 1],
    [3, 1, 1, 0],
  ])(
    '[WK-48] %s at once and %s GPUs are %s free slots, one less with a cell',
    (maxConcurrent, gpuSlots, free, left) => {
      const admission = new Admission({ maxConcurrent, gpuSlots });
      expect(admission.freeSlots).toBe(free);
      reserve(admission);
      expect(admission.freeSlots).toBe(left);
    },
  );

  it('the number at once is asked before the GPUs', () => {
    const admission = new Admission({ maxConcurrent: 1, gpuSlots: 1 });
    reserve(admission);
    expect(reserve(admission)).toContain('1 of 1 executions');
  });
});

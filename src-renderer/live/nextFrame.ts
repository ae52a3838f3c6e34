/** Runs `task` before the next paint, or soon if nothing is painted: a hidden page gets no animation frames. */
export function beforeNextPaint(task: () => void): void {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    task();
  };
  requestAnimationFrame(once);
  setTimeout(once, 50);
}

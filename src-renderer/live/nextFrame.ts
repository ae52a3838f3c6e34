/** Runs `task` before the next paint, or soon where nothing is painted: a hidden page gets no frame. */
export function beforeNextPaint(task: () => void): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    task();
  };
  requestAnimationFrame(once);
  setTimeout(once, 50);
}

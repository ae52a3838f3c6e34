import type { Fix } from '../../src-shared/notebook/fixes.ts';
import type { NotebookSession } from './notebookSession.ts';

/** Takes the way out of a fault; what a package it needs would change is shown before it is added. */
export function takeFix(session: NotebookSession, cellId: string, { source, adds }: Fix): void {
  void session.shape.writeSources(new Map([[cellId, source]]), 'fix');
  if (adds === undefined) return;
  session.askPackages({ kind: 'wish', wish: { kind: 'add', requirements: adds }, rerun: null });
}

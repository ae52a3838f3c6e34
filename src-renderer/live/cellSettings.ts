import { callRoute } from './rest.ts';

/** Replaces a cell's own settings in notebook.toml. @throws RestError */
export async function setCellSettings(sid: string, cellId: string, settings: string): Promise<void> {
  await callRoute('setCellSettings', { params: { sid, cell_id: cellId }, body: { settings } });
}

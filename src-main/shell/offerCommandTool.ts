import type { Dialog } from 'electron';
import { type CommandTool, commandToolState, installCommandTool, removeCommandTool } from './commandTool.ts';
import { WORDS } from './words.ts';

/**
 * Shows the dialog of the Help menu that installs or removes the command `svc`, with its path and the remaining steps.
 */
export async function offerCommandTool(
  dialog: Pick<Dialog, 'showMessageBox'>,
  tool: CommandTool,
): Promise<void> {
  const say = (message: string, detail: string): Promise<unknown> =>
    dialog.showMessageBox({ type: 'info', message, detail, buttons: [WORDS.ok] });
  try {
    if (tool.problem !== null) throw new Error(tool.problem);
    const there = commandToolState(tool) === 'ours';
    const choices = there ? [WORDS.installAgain, WORDS.remove] : [WORDS.install];
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: there ? WORDS.toolIsThere : WORDS.toolQuestion,
      detail: `${tool.path}\n\n${WORDS.toolMeans}`,
      buttons: [...choices, WORDS.cancel],
      cancelId: choices.length,
      defaultId: 0,
    });
    const choice = choices[response];
    if (choice === undefined) return;
    if (choice === WORDS.remove) {
      removeCommandTool(tool);
      await say(WORDS.toolRemoved, tool.path);
      return;
    }
    installCommandTool(tool);
    await say(WORDS.toolInstalled, [tool.path, tool.pathHint ?? WORDS.toolTry].join('\n\n'));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    await dialog.showMessageBox({ type: 'error', message: WORDS.toolFailed, detail, buttons: [WORDS.ok] });
  }
}

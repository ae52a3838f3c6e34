import type { editor as MonacoEditor, Position } from 'monaco-editor/editor';
import { LANGUAGE_WORDS } from '../../words/language.ts';
import type { Monaco } from '../monaco.ts';
import { type PythonContextOf, placeOf } from './offerPython.ts';

/**
 * Adds the editor's actions for Python cells: go to definition (F12, or a click with Ctrl or ⌘), show uses (Shift+F12)
 * and rename (F2).
 */
export function addPythonActions(
  monaco: Monaco,
  editor: MonacoEditor.IStandaloneCodeEditor,
  aroundOf: PythonContextOf,
): void {
  const here = () => {
    const [model, position] = [editor.getModel(), editor.getPosition()];
    const around = model === null ? null : aroundOf(model);
    return model === null || position === null || around === null ? null : { model, position, around };
  };
  const define = async (at?: Position): Promise<void> => {
    const caretContext = here();
    if (caretContext === null) return;
    const { model, around } = caretContext;
    const answer = await around.ask({ ask: 'definition', ...placeOf(model, at ?? caretContext.position) });
    const [place] = answer?.places ?? [];
    if (place === undefined) around.say(answer?.words ?? LANGUAGE_WORDS.noDefinition);
    else around.goTo(place);
  };
  const uses = async (): Promise<void> => {
    const caretContext = here();
    if (caretContext === null) return;
    const { model, position, around } = caretContext;
    const answer = await around.ask({ ask: 'references', ...placeOf(model, position) });
    const places = answer?.places ?? [];
    if (places.length === 0) around.say(answer?.words ?? LANGUAGE_WORDS.noUses);
    else around.showUses(model.getWordAtPosition(position)?.word ?? '', places);
  };
  const rename = async (): Promise<void> => {
    const caretContext = here();
    if (caretContext === null) return;
    const { model, position, around } = caretContext;
    const place = placeOf(model, position);
    const answer = await around.ask({ ask: 'rename', ...place, name: null });
    const name = answer?.renames ?? null;
    if (name === null) around.say(answer?.words ?? LANGUAGE_WORDS.unreachable);
    else around.rename(name, (newName) => around.ask({ ask: 'rename', ...place, name: newName }));
  };
  const { KeyCode, KeyMod } = monaco;
  for (const [id, label, keybinding, run] of [
    ['cellar.goToDefinition', LANGUAGE_WORDS.goToDefinition, KeyCode.F12, () => define()],
    ['cellar.findUses', LANGUAGE_WORDS.findUses, KeyMod.Shift | KeyCode.F12, uses],
    ['cellar.rename', LANGUAGE_WORDS.rename, KeyCode.F2, rename],
  ] as const) {
    editor.addAction({ id, label, keybindings: [keybinding], precondition: "editorLangId == 'python'", run });
  }
  editor.onMouseDown(({ event, target }) => {
    if ((event.ctrlKey || event.metaKey) && event.leftButton && target.position !== null) {
      void define(target.position);
    }
  });
}

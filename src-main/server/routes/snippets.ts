/** Handlers of the routes about the user's own snippets, which the menu of empty cells offers. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { SNIPPET_ROUTES } from '../../../src-shared/wire/routes/snippets.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { SnippetFile } from '../snippetFile.ts';

/** The handlers of the routes about the user's own snippets. */
export function snippetHandlers(file: SnippetFile): HandlersOf<typeof SNIPPET_ROUTES> {
  return {
    ownSnippets: () => file.read(),
    setOwnSnippets: async ({ body }) => {
      const answer = await file.write(body.snippets, body.base_sha256);
      if ('refused' in answer) throw new AppError('conflict', answer.refused);
      return answer;
    },
  };
}

/**
 * The commands `svc artifact publish` and `svc artifact unpublish`: make a version a public page, and withdraw that
 * page.
 */

import { publicationBody } from '../../../server/publication/publicationView.ts';
import { onlyArgument, resolveVersion, storeCommand, textOption, textOptions } from './storeCommand.ts';

export const artifactPublish = storeCommand({
  usage: 'REF',
  options: {
    title: { type: 'string', takes: 'TEXT', says: 'Title of its page.' },
    author: { type: 'string', multiple: true, takes: 'NAME', says: 'An author; may be given several times.' },
  },
  async run(on) {
    const { registry, party, values } = on;
    const row = resolveVersion(on, onlyArgument(on, 'artifact'));
    const authors = textOptions(values, 'author').map((name) => ({ name }));
    const { publication, token } = registry.publications.publish(
      row,
      { title: textOption(values, 'title') ?? null, authors, externalIds: [] },
      party,
    );
    const human =
      token === null
        ? 'Already published. Its token was shown when it was published.'
        : `/p/${token}\nThis is the path of its page below the address of the server. The token is not shown again.`;
    return { answer: publicationBody(publication, token), human };
  },
});

export const artifactUnpublish = storeCommand({
  usage: 'TOKEN',
  async run(on) {
    const key = onlyArgument(on, 'token or id of a publication');
    const publication = on.registry.publications.withdraw(key, on.party);
    return {
      answer: { revoked: true, ...publicationBody(publication, null) },
      human: 'Withdrawn. Its page now only says that it was withdrawn.',
    };
  },
});

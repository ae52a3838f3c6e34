import { type Hands, KEYS, MOUSE, mainJourney } from '../support/mainJourney.ts';
import { type Started, sharedPackages, test } from './desktopApp.ts';

/**
 * The packaged app: its examples are copied into the person's storage folder. The window walks by mouse in Chromium,
 * too; what the app adds is keys that its menus take first, so these are walked in every run.
 */
const WAYS: readonly (readonly [string, Hands])[] = [
  ['[WI-4] [DK-6] by mouse', MOUSE],
  ['[WI-4] [ED-2] by keys alone', KEYS],
];
for (const [name, hands] of WAYS) {
  test(`${name}: example, run all, edit, why, run, quit, start, all hits`, async ({ start }) => {
    test.skip(
      hands === MOUSE && process.env['LONG'] !== '1',
      'by mouse in Chromium: here in npm run test:long',
    );
    test.setTimeout(400_000);
    let started: Started | null = null;
    await mainJourney(
      {
        inElectron: true,
        async start() {
          started = await start({ env: sharedPackages() });
          return started.page;
        },
        quit: async () => started?.quit(),
      },
      hands,
    );
  });
}

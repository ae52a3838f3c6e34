/** Hooks that electron-builder calls while it packages the desktop app; electron-builder.yml names them. */

import { Arch } from 'electron-builder';
import { stageDesktop } from './lib/desktopStage.mjs';

/** False: no package goes into the app's archive, so electron-builder neither searches, installs nor compiles any. */
export function beforeBuild() {
  return false;
}

/** Called before the files of each platform are put together: lays out what the app contains for it. */
export async function beforePack({ electronPlatformName, arch }) {
  await stageDesktop(`${electronPlatformName}-${Arch[arch]}`);
}

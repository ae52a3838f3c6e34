/** `npm run icons`: draws packaging/icons/*.png with Chromium from packaging/icon.svg. The pictures are committed. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { ROOT, say, script } from './lib/project.mjs';

/** The sizes that desktops use; the largest also becomes the icons of macOS and Windows. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const { chromium } = await import('@playwright/test');
  const { ensureChromium } = await import('./lib/testTools.mjs');
  const svg = readFileSync(join(ROOT, 'packaging', 'icon.svg'), 'utf8');
  const folder = join(ROOT, 'packaging', 'icons');
  mkdirSync(folder, { recursive: true });
  const executablePath = (await ensureChromium()) ?? undefined;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    for (const size of SIZES) {
      await page.setViewportSize({ width: size, height: size });
      const picture = svg.replace(/width="1024" height="1024"/, `width="${size}" height="${size}"`);
      await page.setContent(`<style>body{margin:0}svg{display:block}</style>${picture}`);
      const png = await page.screenshot({ omitBackground: true });
      writeFileSync(join(folder, `${size}x${size}.png`), png);
    }
  } finally {
    await browser.close();
  }
  say(`drew ${SIZES.length} icons into packaging/icons.`);
});

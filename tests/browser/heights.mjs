/**
 * `npm run heights`: measures the simulators of the built site for the table of embed.html, and writes web/pages/embed/heights.json.
 * The test of the recipes says when it is time.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { LANGUAGES, SOURCE } from '../../web/shared/language.js';
import { ROOT } from '../architecture/files.js';
import { launchChromium } from './chromium.js';
import { measureHeights, measureRooms } from './heights.js';
import { serveHosts } from './hosts.js';
import { serve } from './server.js';

const dist = path.join(ROOT, 'dist');
const site = await serve(dist, { cors: true });
const hosts = await serveHosts(site.origin);
const browser = await launchChromium([], { whole: true });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const rooms = await measureRooms(page, hosts.origin);
  const widths = Object.values(rooms).map(({ width }) => width);
  const heights = {};
  for (const language of LANGUAGES) {
    heights[language] = {};
    for (const file of readdirSync(path.join(dist, 'simulators')).sort()) {
      const folder = language === SOURCE ? '' : `${language}/`;
      const address = `${site.origin}/${folder}simulators/${file}`;
      heights[language][file.replace('.html', '')] = await measureHeights(page, address, widths);
    }
  }
  const file = path.join(ROOT, 'web/pages/embed/heights.json');
  const style = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(JSON.stringify({ rooms, heights }), style));
  console.log(`${path.relative(ROOT, file)}: rooms ${JSON.stringify(rooms)}`);
} finally {
  await browser.close();
  await Promise.all([hosts.close(), site.close()]);
}

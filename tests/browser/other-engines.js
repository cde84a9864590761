/**
 * Firefox by WebDriver BiDi and WebKit by WebDriver, behind the same few calls: open, evaluate, press, close.
 * They run the short suite; Chromium runs everything.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { Builder, Capabilities, Key } from 'selenium-webdriver';

const firstOf = (files) => files.find((file) => file && existsSync(file));

function needed(file, what, packages) {
  if (!file) throw new Error(`${what} is missing. On Debian: apt-get install ${packages}.`);
  return file;
}

export async function launchFirefox() {
  const executablePath = needed(
    firstOf([
      process.env.ATTN_FIREFOX,
      '/usr/bin/firefox-esr',
      '/usr/bin/firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
    ]),
    'Firefox',
    'firefox-esr',
  );
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    // Off, because the browser would otherwise call its maker during a test.
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  });
  const page = await browser.newPage();
  return {
    name: 'firefox',
    version: await browser.version(),
    open: async (url, { width = 1280, height = 720 } = {}) => {
      await page.setViewport({ width, height });
      await page.goto(url, { waitUntil: 'load' });
    },
    evaluate: (run, ...values) => page.evaluate(run, ...values),
    press: (key) => page.keyboard.press(key === 'Space' ? ' ' : key),
    close: () => browser.close(),
  };
}

/** A display of our own, so that nothing depends on the machine's. */
async function startDisplay() {
  if (process.env.DISPLAY && !process.env.ATTN_OWN_DISPLAY) return { stop: () => {} };
  const xvfb = needed(firstOf(['/usr/bin/Xvfb']), 'Xvfb', 'xvfb');
  const child = spawn(
    xvfb,
    ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const number = await new Promise((resolve, reject) => {
    let text = '';
    child.stdio[3].on('data', (data) => {
      text += data;
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    child.once('error', reject);
  });
  return { display: `:${number}`, stop: () => child.kill() };
}

const BROWSERS = [
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser',
];

const KEYS = {
  Tab: Key.TAB,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Space: Key.SPACE,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
};

export async function launchWebKit() {
  const driverFile = needed(
    firstOf(['/usr/bin/WebKitWebDriver']),
    'WebKitWebDriver',
    'webkit2gtk-driver',
  );
  const binary = needed(
    firstOf([process.env.ATTN_WEBKIT, ...BROWSERS]),
    'WebKit',
    'webkit2gtk-driver',
  );
  const display = await startDisplay();
  const port = 20_000 + (process.pid % 20_000);
  const environment = { ...process.env };
  if (display.display) environment.DISPLAY = display.display;
  if (process.getuid?.() === 0) environment.WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS = '1';
  const service = spawn(driverFile, [`--port=${port}`, '--host=127.0.0.1'], {
    env: environment,
    stdio: 'ignore',
  });
  const stop = () => {
    service.kill();
    display.stop();
  };
  try {
    const address = `http://127.0.0.1:${port}`;
    for (let attempt = 0; attempt < 50; attempt += 1) {
      try {
        await fetch(`${address}/status`);
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    });
    const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
    await driver.manage().setTimeouts({ script: 20_000, pageLoad: 30_000 });
    const version = (await driver.getCapabilities()).get('browserVersion');
    return {
      name: 'webkit',
      version: `WebKitGTK ${version}`,
      open: async (url, { width = 1280, height = 720 } = {}) => {
        await driver
          .manage()
          .window()
          .setRect({ width, height: height + 60 });
        await driver.get(url);
      },
      evaluate: async (run, ...values) => {
        const result = await driver.executeAsyncScript(
          `const done = arguments[arguments.length - 1];
           Promise.resolve().then(() => (${run})(...Array.from(arguments).slice(0, -1)))
             .then((value) => done({ value }), (error) => done({ error: String(error) }));`,
          ...values,
        );
        if (result.error) throw new Error(result.error);
        return result.value ?? undefined;
      },
      press: (key) =>
        driver
          .actions()
          .sendKeys(KEYS[key] ?? key)
          .perform(),
      close: async () => {
        await driver.quit().catch(() => {});
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

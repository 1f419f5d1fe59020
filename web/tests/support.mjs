// One browser for all tests, pages that are watched: whatever a page asks of the network, writes to the console as
// an error, or opens as a dialog is remembered and must be nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((path) => path && existsSync(path));
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

function demanded(name, what) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must be set: ${what}`);
  return value;
}

/** The program under test, and the pages that test_report left. */
export const PROGRAM = demanded("FCBIO_PROGRAM", "the fcbio program");
export const PAGES = demanded("FCBIO_REPORT_PAGES", "the directory where test_report wrote its pages");

let browser;
let scratch;

export async function start() {
  if (!CHROMIUM) throw new Error("no chromium was found; run scripts/setup, or set CHROMIUM");
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  scratch = mkdtempSync(join(tmpdir(), "fcbio-browser-"));
}

export async function stop() {
  await browser?.close();
  if (scratch) rmSync(scratch, { recursive: true, force: true });
}

/** Runs the program in a directory of its own; a run that stopped at a limit (3) has still written its page. */
export function fcbio(...words) {
  try {
    execFileSync(PROGRAM, words, { cwd: scratch, stdio: "pipe", timeout: 120000 });
  } catch (error) {
    if (error.status !== 3) throw error;
  }
}
export const made_by_program = (name) => join(scratch, name);

/** Opens a page and hands it to `use`; afterwards nothing may have gone wrong in it. */
export async function with_page(file, options, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  try {
    const page = await context.newPage();
    const address = pathToFileURL(file).href;
    const wrong = [];
    page.on("request", (request) => {
      // data: and blob: addresses are inside the page; the exported picture goes through one.
      if (request.url() !== address && !/^(data|blob):/.test(request.url())) wrong.push(`request: ${request.url()}`);
    });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
    page.on("dialog", (dialog) => {
      wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    await page.waitForSelector("main");
    await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((place) => place.firstElementChild));
    await use(page);
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

export const in_pages = (name) => join(PAGES, name);

/** The report inside a page. */
export const data_of = (page) => page.evaluate(() => JSON.parse(document.getElementById("report-data").textContent));

/** Every path of a chart, as one text: whatever is drawn differently makes it different. */
export const drawing_of = (page, id) => page.evaluate((figure) =>
  [...document.querySelectorAll(`#${figure} .plot path`)].map((path) => path.getAttribute("d")).join("|"), id);

/** The labels of a chart's axes. */
export const labels_of = (page, id) => page.evaluate((figure) =>
  [...document.querySelectorAll(`#${figure} .plot [aria-label$='axis label'] text`)].map((text) => text.textContent), id);

export const lines_in = (page, id) => page.locator(`#${id} .plot .run-line path`).count();

/** One column of the table, from top to bottom. */
export const column = (page, at) => page.evaluate((index) =>
  [...document.querySelectorAll("table.runs tbody tr")].map((row) => row.children[index].textContent.trim()), at);

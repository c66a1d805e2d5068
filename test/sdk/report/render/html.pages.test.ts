/** Opens the pages in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { visible } from "../../../../sdk/report/render/escape";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { chromiumPath, launch, open } from "../../../support/report/browser";
import {
  busy,
  hostileReport,
  hostileResult,
  large,
  mixed,
  report,
} from "../../../support/report/handMadeReports";
import { HOSTILE } from "../../../support/report/hostileTexts";

const { plan: planPage, result: resultPage } = FORMATS.html;

const missing = "no Chromium: neither CHROMIUM_PATH nor chromium or google-chrome on the PATH";
const inChromium = chromiumPath() === undefined ? test.skip : test;
if (chromiumPath() === undefined) console.warn(`the pages are not looked at: ${missing}`);
const title = (words: string) => (chromiumPath() === undefined ? `${words} (skipped: ${missing})` : words);

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "report-pages-"));
  if (chromiumPath() !== undefined) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function written(name: string, page: string): string {
  const file = path.join(folder, `${name}.html`);
  writeFileSync(file, page);
  return file;
}

/** A page that shows every hostile string as a name in one stack. */
const hostile = (): string => {
  const all = HOSTILE.map((text) => hostileReport(text));
  return planPage([
    report(
      all.flatMap(({ deployments }) => deployments),
      { warnings: [...HOSTILE], listeners: all.flatMap(({ listeners }) => listeners) },
    ),
  ]);
};

/** The number of pixels by which the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** The number of colors in a screenshot. A blank page has one color. */
async function colorsOf(page: Page): Promise<number> {
  const shot = (await page.screenshot()).toString("base64");
  const other = await browser.newPage();
  try {
    return await other.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob("${shot}"), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
  } finally {
    await other.close();
  }
}

const PAGES: readonly (readonly [name: string, page: () => string])[] = [
  ["a busy stack", () => planPage([busy()])],
  ["a large stack", () => planPage([large(240)])],
  ["hostile texts", hostile],
  ["a result", () => resultPage([mixed()])],
  ["a hostile result", () => resultPage(HOSTILE.map(hostileResult))],
];

describe.each(PAGES)("%s", (name, make) => {
  inChromium.each([
    [375, "light"],
    [1280, "dark"],
  ] as const)(
    title("at %i pixels in %s mode, the page sends no request, runs no script and does not scroll sideways"),
    async (width, scheme) => {
      const file = written(`${name.replaceAll(" ", "-")}`, make());
      const { page, incidents } = await open(browser, file, width, scheme);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      expect(incidents).toEqual([]);
      expect(await page.evaluate("window.ran")).toBeUndefined();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await colorsOf(page)).toBeGreaterThan(20);
      await page.context().close();
    },
  );
});

inChromium(title("the page shows every hostile string as plain text"), async () => {
  const { page } = await open(browser, written("texts", hostile()), 1280);
  const names: string[] = await page.evaluate(
    "[...document.querySelectorAll('summary > strong')].map((each) => each.textContent)",
  );
  const notes: string[] = await page.evaluate(
    "[...document.querySelectorAll('.inner p')].map((each) => each.textContent)",
  );
  const warnings: string[] = await page.evaluate(
    "[...document.querySelectorAll('.warnings li')].map((each) => each.textContent)",
  );
  for (const text of HOSTILE) {
    expect(names).toContain(visible(text));
    if (text !== "") expect(notes).toContain(`on ${visible(text)}`);
    expect(warnings).toContain(visible(text));
  }
  await page.context().close();
});

inChromium(title("every word has the contrast that WCAG AA requires, in light and dark mode"), async () => {
  for (const scheme of ["light", "dark"] as const) {
    const { page } = await open(browser, written("contrast", planPage([busy()])), 1280, scheme);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    await page.context().close();
  }
});

/** A script that runs in the page. It finds text with a contrast of less than 4.5 to 1. */
const LOW_CONTRAST = `(() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const isSolid = (color) => color !== "none" && (numbers(color)[3] ?? 1) > 0;
  const behind = (element) => {
    if (element.closest("svg") !== null) {
      const box = element.previousElementSibling?.matches("rect:not(.stripe)") ? element.previousElementSibling : element.parentElement.querySelector("rect");
      return getComputedStyle(box && !box.matches(".tile") ? box : document.body)[box && !box.matches(".tile") ? "fill" : "backgroundColor"];
    }
    for (let each = element; each; each = each.parentElement)
      if (isSolid(getComputedStyle(each).backgroundColor)) return getComputedStyle(each).backgroundColor;
  };
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!own || !element.checkVisibility() || element.matches("title, desc")) return [];
    const color = element.matches("text") ? getComputedStyle(element).fill : getComputedStyle(element).color;
    const [one, other] = [light(color), light(behind(element))].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05) < 4.5 ? [element.textContent + " " + color] : [];
  });
})()`;

inChromium.each([375, 800, 1280])(
  title("at %i pixels, no word outside of code breaks across two lines"),
  async (width) => {
    for (const make of [() => planPage([busy()]), () => resultPage([mixed()])]) {
      const { page } = await open(browser, written("words", make()), width);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
      await page.context().close();
    }
  },
);

/** A script that runs in the page. It finds words outside of code that break across two lines. */
const BROKEN_WORDS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node.parentElement.closest("code, svg, style") !== null) continue;
    for (const { 0: word, index } of node.textContent.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** The system's Chromium, for the tests that open a page as a reader's browser does. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** `CHROMIUM_PATH`, or the first Chromium on the PATH; undefined if there is no Chromium. */
export function chromiumPath(): string | undefined {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath) return existsSync(configuredPath) ? configuredPath : undefined;
  try {
    return execFileSync("which", NAMES, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split(
      "\n",
    )[0];
  } catch (error) {
    // `which` fails if one of the names is missing, but still prints those that exist.
    return String((error as { stdout?: unknown }).stdout ?? "").split("\n")[0] || undefined;
  }
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath() as string, args: FLAGS });

/** A page, and the events in the page that count as faults. */
export interface Watched {
  readonly page: Page;
  readonly incidents: string[];
}

export async function open(
  browser: Browser,
  file: string,
  width: number,
  colorScheme: "light" | "dark" = "light",
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const incidents: string[] = [];
  page.on("request", (request) => {
    if (request.url() !== `file://${file}`) incidents.push(`request of ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    incidents.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => incidents.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => incidents.push(`error: ${error.message}`));
  await page.goto(`file://${file}`);
  return { page, incidents };
}

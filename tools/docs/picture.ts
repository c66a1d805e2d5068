/**
 * `npm run picture`: uses a browser to make a picture of the quick start's report. Also makes the logo as a PNG,
 * because Pulumi's Registry requires a PNG. `npm run picture -- logo` makes the logo alone.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromiumPath, launch } from "../../test/support/report/browser";
import { Session } from "./guides/session";

const DOCS = path.join(__dirname, "..", "..", "docs");
const PICTURE = path.join(DOCS, "report.png");
const LOGO_PIXELS = 100;

const SERVICE =
  "npx --no-install deployment-control emulator --port 8123 --hosting self-hosted --api-key local-key --listeners quickstart-cluster";
const COMMANDS = `pulumi login --local
pulumi stack init dev
pulumi config set deployment-control:baseUrl http://127.0.0.1:8123
pulumi config set --secret deployment-control:apiKey local-key
pulumi up
pulumi config set quickstart:imageTag 1.1.0
pulumi preview --json --show-sames > preview.json
npx --no-install deployment-control plan preview.json --out plan.html`;

async function main(): Promise<void> {
  if (chromiumPath() === undefined)
    throw new Error("no Chromium: neither CHROMIUM_PATH nor chromium or google-chrome on the PATH");
  const browser = await launch();
  const session = new Session();
  try {
    writeFileSync(path.join(DOCS, "logo.png"), await drawnLogo(browser));
    if (process.argv[2] === "logo") return;
    await session.startFrom("quickstart");
    await session.run(SERVICE, 0);
    await session.run(COMMANDS, 0);
    const file = session.placeOf("plan.html");
    writeFileSync(file, session.steady(readFileSync(file, "utf8")));
    writeFileSync(PICTURE, await photographed(browser, file));
  } finally {
    await session.close();
    await browser.close();
  }
  process.stdout.write(
    `docs/report.png: ${Math.round(statSync(PICTURE).size / 1000)} kB, ${readFileSync(PICTURE).readUInt32BE(16)} pixels wide\n`,
  );
}

type Browser = Awaited<ReturnType<typeof launch>>;

async function photographed(browser: Browser, file: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 }, deviceScaleFactor: 1.25 });
  await page.goto(`file://${file}`);
  return page.screenshot({ fullPage: true });
}

async function drawnLogo(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: LOGO_PIXELS, height: LOGO_PIXELS } });
  const drawing = readFileSync(path.join(DOCS, "logo.svg"), "utf8");
  const style = "<style>body { margin: 0 } svg { width: 100vw; height: 100vh; display: block }</style>";
  await page.setContent(style + drawing);
  return page.screenshot({ omitBackground: true });
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

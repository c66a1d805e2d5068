/** A proxy that records the requests and answers between a client and the embedded service. */
import type { Emulator, EmulatorOptions } from "../../sdk/emulator";
import { started } from "../support/embeddedService";
import { serving } from "../support/httpServer";
import type { Exchange } from "./document";
import type { ProfileName } from "./table";

export interface Exchanging {
  readonly emulator: Emulator;
  /** The proxy's address. */
  readonly url: string;
  readonly exchanges: Exchange[];
}

/** The headers that the proxy drops: headers about the connection itself, and headers that `fetch` sets. */
const OWN = /^(connection|host|content-length|transfer-encoding|keep-alive|sec-fetch-mode|expect)$/;

export async function exchanging(profile: ProfileName, options: EmulatorOptions = {}): Promise<Exchanging> {
  const emulator = await started({ profile, ...options });
  const exchanges: Exchange[] = [];
  const { url } = await serving(async ({ method, url: place, headers, body }, response) => {
    const passed = Object.entries(headers).filter(([name]) => !OWN.test(name)) as [string, string][];
    const answer = await fetch(emulator.url + place, {
      method,
      headers: passed,
      ...(body !== "" && { body }),
    });
    const text = await answer.text();
    exchanges.push({
      method,
      url: place,
      headers,
      requestBody: body === "" ? undefined : JSON.parse(body),
      status: answer.status,
      answerBody: text === "" ? undefined : JSON.parse(text),
    });
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, type === null ? {} : { "content-type": type }).end(text);
  }, profile);
  return { emulator, url, exchanges };
}

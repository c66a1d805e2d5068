/** Makes a command's output the same in every run. Replaces ids, times and folders. */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const shownAs = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;

interface Traces {
  readonly top: string;
  readonly root: string;
  /** The placeholder of each id, in order of appearance. `steadied` adds new ids. */
  readonly ids: Map<string, string>;
}

export function steadied(said: string, { top, root, ids }: Traces): string {
  const idFor = (id: string): string => {
    if (!ids.has(id)) ids.set(id, shownAs(ids.size + 1));
    return ids.get(id) as string;
  };
  return inOrder(said)
    .replaceAll(`${top}/`, "~/")
    .replaceAll(root, "~/pulumi-deployment-control")
    .replace(/\b\d+(\.\d+)? s\b/g, "2 s")
    .replace(/\((?:[A-Z_]+ 2 s, )+([A-Z_]+)\)/g, "(…, $1)")
    .replace(UUID, idFor)
    .replace(/\b[0-9a-f]{64}\b/g, "…")
    .replace(/\bplan [0-9a-f]{12}\b/g, "plan b2f3f91e4dd1")
    .replace(/\b[0-9a-f]{8}(?= [A-Z_]{4,}\b)/g, "3f9c2a10")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-02T03:04:05Z")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "")
    .concat("\n");
}

/** The engine works on some resources at the same time, so the order of their lines varies. */
function inOrder(said: string): string {
  const parts = said.split(/^(?=Diagnostics:|Resources:)/m);
  return parts.map((part) => (part.startsWith(DIAGNOSTICS) ? sorted(part) : part)).join("");
}

const DIAGNOSTICS = "Diagnostics:\n";

function sorted(diagnostics: string): string {
  const groups = diagnostics
    .slice(DIAGNOSTICS.length)
    .trimEnd()
    .split(/\n\n(?= {2}\S)/);
  return `${DIAGNOSTICS}${groups.sort().join("\n\n")}\n\n`;
}

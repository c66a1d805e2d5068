/** Steadies a command's output: leaves out ids, times and folders, which differ from run to run. */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** How far a revision has come is seen at chance moments; how it ended is always said. */
const PROGRESS = /^.*\brevision \S+ is \w+ after 2 s\n/gm;
const shownAs = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;

interface Traces {
  readonly top: string;
  readonly root: string;
  /** The words that stand for each id, in order of appearance; it is filled. */
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
    .replace(PROGRESS, "")
    .replace(UUID, idFor)
    .replace(/\b[0-9a-f]{64}\b/g, "…")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-02T03:04:05Z")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "")
    .concat("\n");
}

/** Resources that are worked on at once speak in any order. */
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

// Recorded plans without what differs from run to run: ids, times, ports, folders.

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Ids that the programs give, and the engine's own mark of an unknown value. */
const FIXED = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21",
  "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10",
  "9d2c7a54-2f0e-4f3b-8f57-0a6a5de2c111",
]);

export function normalized(text, { folder, root, url, ids }) {
  const idFor = (id) => {
    if (FIXED.has(id)) return id;
    if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`);
    return ids.get(id);
  };
  return withoutTraces(text)
    .replaceAll(url, "http://127.0.0.1:4000")
    .replaceAll(folder, "/project")
    .replaceAll(root, "/package")
    .replace(UUID, idFor)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-02T03:04:05Z")
    .replace(/"duration": ?\d+/g, '"duration": 1000000000')
    .replace(/"(durationSeconds|timestamp)": ?\d+/g, '"$1":1000000000');
}

/** Stack traces tell where the host's own code stands, in half of all lines. */
function withoutTraces(text) {
  try {
    const kept = (key, value) => (key === "stackTrace" ? undefined : value);
    return `${JSON.stringify(JSON.parse(text), kept, 2)}\n`;
  } catch {
    // Several documents, one a line.
    return text;
  }
}

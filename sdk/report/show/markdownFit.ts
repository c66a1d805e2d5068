/** Joins sections of Markdown within a limit of bytes: headlines first, then warnings, rows, and folded details. */
import { numberOf } from "./words";

export interface Section {
  readonly head: readonly string[];
  readonly warnings: readonly string[];
  readonly columns: readonly string[];
  /** Each one line, the most urgent first. */
  readonly rows: readonly string[];
  readonly tail: readonly string[];
  /** Folded, the most urgent first. */
  readonly details: readonly string[];
}

interface Document {
  /** One for each section. */
  readonly markers: readonly string[];
  /** Lines above all sections. */
  readonly over: readonly string[];
  readonly sections: readonly Section[];
  /** Most bytes of the whole. */
  readonly limit: number;
}

/** How much of a section fits. */
interface Kept {
  readonly section: Section;
  warnings: number;
  rows: number;
  tail: boolean;
  details: number;
}

/** Bytes for the lines that count what is left out, per section and for the whole. */
const RESERVE = 250;
const SHARE_OF_WARNINGS = 0.25;

const bytes = (text: string): number => Buffer.byteLength(text) + 1;
const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + bytes(line), 0);

class Room {
  constructor(private left: number) {}
  /** Takes the room when there is enough. */
  takes(size: number): boolean {
    if (size > this.left) return false;
    this.left -= size;
    return true;
  }
  part(share: number): Room {
    return new Room(this.left * share);
  }
}

export function fitted({ markers, over, sections, limit }: Document): string {
  const room = new Room(limit - RESERVE);
  room.takes(bytesOf(over));
  const kept: Kept[] = [];
  for (const [index, section] of sections.entries()) {
    const size = bytesOf([markers[index] as string, ...section.head, tableHead(section)]) + RESERVE;
    if (!room.takes(size)) break;
    kept.push({ section, warnings: 0, rows: 0, tail: false, details: 0 });
  }
  keepWarnings(kept, room);
  keepInTurn(kept, "rows", room);
  for (const each of kept) each.tail = room.takes(bytesOf(each.section.tail));
  keepInTurn(kept, "details", room);
  const missing = sections.length - kept.length;
  const shown = kept.flatMap(lines);
  return `${[
    ...markers.slice(0, kept.length),
    ...over,
    ...shown,
    ...(missing > 0 ? [`… and ${numberOf(missing, "more stack")}, too long for this place.`] : []),
  ]
    .join("\n")
    .trimEnd()}\n`;
}

function keepWarnings(kept: readonly Kept[], room: Room): void {
  const share = room.part(SHARE_OF_WARNINGS);
  for (const each of kept)
    for (const warning of each.section.warnings) {
      const size = bytes(`> - ${warning}`);
      if (!share.takes(size) || !room.takes(size)) return;
      each.warnings += 1;
    }
}

/** The first of every section, then the second of every section, and so on: none is crowded out by another. */
function keepInTurn(kept: readonly Kept[], what: "rows" | "details", room: Room): void {
  const most = kept.reduce((sum, { section }) => Math.max(sum, section[what].length), 0);
  for (let turn = 0; turn < most; turn += 1)
    for (const each of kept) {
      const piece = each.section[what][turn];
      if (piece === undefined) continue;
      if (!room.takes(bytes(piece) + 1)) return;
      each[what] = turn + 1;
    }
}

const tableHead = ({ columns }: Section): string =>
  `| ${columns.join(" | ")} |\n|${columns.map(() => "---").join("|")}|`;

function lines({ section, warnings, rows, tail, details }: Kept): string[] {
  const moreWarnings = section.warnings.length - warnings;
  const moreRows = section.rows.length - rows;
  const moreDetails = section.details.length - details;
  const warned = [
    ...section.warnings.slice(0, warnings).map((warning) => `> - ${warning}`),
    ...(moreWarnings > 0 ? [`> - … and ${numberOf(moreWarnings, "more warning")}`] : []),
  ];
  return [
    ...section.head,
    ...(warned.length > 0 ? ["> [!WARNING]", ...warned, ""] : []),
    ...(rows > 0 ? [tableHead(section), ...section.rows.slice(0, rows), ""] : []),
    ...(moreRows > 0 ? [`… and ${moreRows} more that change, too long for this place.`, ""] : []),
    ...(tail && section.tail.length > 0 ? [...section.tail, ""] : []),
    ...section.details.slice(0, details).flatMap((detail) => [detail, ""]),
    ...(moreDetails > 0
      ? [`Details of ${moreDetails} more are left out; the report's HTML and JSON have them.`, ""]
      : []),
  ];
}

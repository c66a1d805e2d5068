/** Joins sections of Markdown within a limit of bytes; headlines take precedence, then warnings, rows and folded details. */
import { numberOf } from "./words";

export interface Section {
  readonly head: readonly string[];
  /**
   * Whether the warnings go above the table even if the table is short, because they say why the plan cannot be
   * applied.
   */
  readonly warnsFirst: boolean;
  readonly warnings: readonly string[];
  readonly columns: readonly string[];
  /** The rows of the table, one line each, the most urgent first. */
  readonly rows: readonly string[];
  readonly tail: readonly string[];
  /** Folded details of the changes, the most urgent first. */
  readonly details: readonly string[];
  /** The last line. */
  readonly foot: string;
}

interface Document {
  /** Invisible comments that name the stacks; the text has as many of them as fit. */
  readonly markers: readonly string[];
  /** Lines above all sections. */
  readonly over: readonly string[];
  readonly sections: readonly Section[];
  /** The maximum length of the whole text, in bytes. */
  readonly limit: number;
}

/** The parts of a section for which there is room. */
interface Extent {
  readonly section: Section;
  warnings: number;
  rows: number;
  tail: boolean;
  details: number;
}

/** Bytes that are kept free for the line about omitted entries: in each section, and at the end. */
const RESERVE = 250;
const SHARE_OF_WARNINGS = 0.25;

/** A table with at most this many rows comes before the warnings, so that a phone's first screen shows the changes. */
const SHORT_TABLE = 10;

const bytes = (text: string): number => Buffer.byteLength(text) + 1;
const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + bytes(line), 0);

class Room {
  constructor(private bytesLeft: number) {}
  /** Uses `size` bytes of the room if that many are left, and returns whether they were. */
  takes(size: number): boolean {
    if (size > this.bytesLeft) return false;
    this.bytesLeft -= size;
    return true;
  }
  part(share: number): Room {
    return new Room(this.bytesLeft * share);
  }
}

export function fitSections({ markers, over, sections, limit }: Document): string {
  const room = new Room(limit - RESERVE);
  const shownMarkers = markers.filter((marker) => room.takes(bytes(marker)));
  room.takes(bytesOf(over));
  const extents: Extent[] = [];
  for (const section of sections) {
    const { head, foot } = section;
    const size = bytesOf([...head, tableHead(section), foot]) + RESERVE;
    if (!room.takes(size)) break;
    extents.push({ section, warnings: 0, rows: 0, tail: false, details: 0 });
  }
  fitWarnings(extents, room);
  fitInTurn(extents, "rows", room);
  for (const each of extents) each.tail = room.takes(bytesOf(each.section.tail));
  fitInTurn(extents, "details", room);
  const omissions = sections.length - extents.length;
  const body = extents.flatMap(lines);
  return `${[
    ...shownMarkers,
    ...over,
    ...body,
    ...(omissions > 0 ? [`… and ${numberOf(omissions, "more stack")}, too long for this place.`] : []),
  ]
    .join("\n")
    .trimEnd()}\n`;
}

function fitWarnings(extents: readonly Extent[], room: Room): void {
  const share = room.part(SHARE_OF_WARNINGS);
  for (const each of extents)
    for (const warning of each.section.warnings) {
      const size = bytes(`> - ${warning}`);
      if (!share.takes(size) || !room.takes(size)) return;
      each.warnings += 1;
    }
}

/**
 * Takes the first item of every section, then the second of every section, and so on, so that no section crowds out
 * another.
 */
function fitInTurn(extents: readonly Extent[], part: "rows" | "details", room: Room): void {
  const most = extents.reduce((sum, { section }) => Math.max(sum, section[part].length), 0);
  for (let turn = 0; turn < most; turn += 1)
    for (const each of extents) {
      const piece = each.section[part][turn];
      if (piece === undefined) continue;
      if (!room.takes(bytes(piece) + 1)) return;
      each[part] = turn + 1;
    }
}

const tableHead = ({ columns }: Section): string =>
  `| ${columns.join(" | ")} |\n|${columns.map(() => "---").join("|")}|`;

function lines({ section, warnings, rows, tail, details }: Extent): string[] {
  const moreWarnings = section.warnings.length - warnings;
  const moreRows = section.rows.length - rows;
  const moreDetails = section.details.length - details;
  const warningLines = [
    ...section.warnings.slice(0, warnings).map((warning) => `> - ${warning}`),
    ...(moreWarnings > 0 ? [`> - … and ${numberOf(moreWarnings, "more warning")}`] : []),
  ];
  const box = warningLines.length > 0 ? ["> [!WARNING]", ...warningLines, ""] : [];
  const table = [
    ...(rows > 0 ? [tableHead(section), ...section.rows.slice(0, rows), ""] : []),
    ...(moreRows > 0 ? [`… and ${moreRows} more changes, which do not fit in this place.`, ""] : []),
  ];
  return [
    ...section.head,
    ...(section.warnsFirst || section.rows.length > SHORT_TABLE ? [...box, ...table] : [...table, ...box]),
    ...(tail && section.tail.length > 0 ? [...section.tail, ""] : []),
    ...section.details.slice(0, details).flatMap((detail) => [detail, ""]),
    ...(moreDetails > 0
      ? [`Details of ${moreDetails} more are left out; the report's HTML and JSON have them.`, ""]
      : []),
    section.foot,
    "",
  ];
}

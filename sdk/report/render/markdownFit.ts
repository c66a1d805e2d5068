/** Cuts Markdown to a number of bytes between its pieces, so that no piece is broken. */
import { numberOf } from "./words";

/** Lines that only make sense together. */
export interface Piece {
  readonly text: string;
  /** Pieces of a lower rank go first if there is not room for all. */
  readonly rank: number;
}

/** Bytes that are kept free for the line about pieces that are left out. */
const RESERVE = 150;

/** The pieces in their order; if they are too long, those of the highest rank are left out from the end. */
export function fitted(pieces: readonly Piece[], limit: number): string {
  const fittingPieces = new Set<Piece>();
  let bytesLeft = limit - RESERVE;
  // A sort keeps the order of pieces of one rank.
  for (const piece of [...pieces].sort((first, second) => first.rank - second.rank)) {
    bytesLeft -= Buffer.byteLength(piece.text) + 1;
    if (bytesLeft < 0) break;
    fittingPieces.add(piece);
  }
  const omitted = pieces.length - fittingPieces.size;
  const notice = `\n… and ${numberOf(omitted, "more part")}, too long for this place; the report's HTML and JSON have all.`;
  const texts = pieces.filter((piece) => fittingPieces.has(piece)).map(({ text }) => text);
  return `${[...texts, ...(omitted > 0 ? [notice] : [])].join("\n")}\n`;
}

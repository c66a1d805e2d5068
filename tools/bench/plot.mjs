// Plots cost against the number of deployments as an SVG with logarithmic axes, readable on light and dark backgrounds.
import { CANDIDATES } from "./candidates.mjs";

const WIDTH = 420;
const HEIGHT = 300;
const MARGIN = { left: 52, right: 96, top: 34, bottom: 40 };
const TICK_WIDTH = 32;

/** Panels side by side: `{title, unit, lines: [{name, points: [[count, value]]}]}`. */
export function plot(panels) {
  const all = panels.map((panel, index) => panelOf(panel, index * WIDTH)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panels.length * WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">
<title>${panels.map(({ title, unit }) => `${title} (${unit})`).join(", ")}, against the number of deployments</title>
<style>
  text { fill: #57606a } .title { fill: #1f2328; font-weight: 600 } .grid { stroke: #d0d7de } path { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #8b949e } .title { fill: #e6edf3 } .grid { stroke: #30363d } }
</style>
${all}
</svg>
`;
}

function panelOf({ title, unit, lines }, left) {
  const counts = [...new Set(lines.flatMap(({ points }) => points.map(([count]) => count)))].sort(
    (a, b) => a - b,
  );
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const x = scale(counts[0], counts.at(-1), left + MARGIN.left, left + WIDTH - MARGIN.right);
  const decades = decadesOf(values);
  const y = scale(decades[0], decades.at(-1), HEIGHT - MARGIN.bottom, MARGIN.top);
  const grid = decades.map((value) => {
    const at = y(value).toFixed(1);
    return `<line class="grid" x1="${left + MARGIN.left}" x2="${left + WIDTH - MARGIN.right}" y1="${at}" y2="${at}"/><text x="${left + MARGIN.left - 6}" y="${Number(at) + 4}" text-anchor="end">${value}</text>`;
  });
  const ticks = apart(counts, x).map(
    (count) =>
      `<text x="${x(count).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${count}</text>`,
  );
  return [
    `<text class="title" x="${left + MARGIN.left}" y="18">${title} (${unit})</text>`,
    ...grid,
    ...ticks,
    `<text x="${left + WIDTH - MARGIN.right}" y="${HEIGHT - 6}" text-anchor="end">deployments</text>`,
    ...linesOf(lines, x, y),
  ].join("\n");
}

/** The counts whose labels do not overlap. Of two overlapping labels, the one with the smaller count is left out. */
function apart(counts, x) {
  return counts.filter((count, index) => !(x(counts[index + 1]) - x(count) < TICK_WIDTH));
}

function linesOf(lines, x, y) {
  const ends = labelPlaces(lines.map(({ points }) => y(points.at(-1)[1])));
  return lines.flatMap(({ name, points }, index) => {
    const { colour } = CANDIDATES[name];
    const places = points.map(([count, value]) => [x(count).toFixed(1), y(value).toFixed(1)]);
    const [endX] = places.at(-1);
    return [
      `<path stroke="${colour}" d="M${places.map((place) => place.join(" ")).join("L")}"/>`,
      ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`),
      `<text x="${Number(endX) + 8}" y="${ends[index].toFixed(1)}" style="fill:${colour}">${name}</text>`,
    ];
  });
}

/** Labels next to the ends of the lines, moved apart if they would overlap. */
function labelPlaces(places) {
  const order = places.map((_, index) => index).sort((a, b) => places[a] - places[b]);
  const shifted = [...places];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(places[index] + 4, last + 14);
    shifted[index] = last;
  }
  return shifted;
}

/** The powers of ten that enclose all values. */
function decadesOf(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, index) => Number((10 ** (low + index)).toPrecision(1)));
}

function scale(low, high, from, to) {
  const span = Math.log(high / low) || 1;
  return (value) => from + (Math.log(value / low) / span) * (to - from);
}

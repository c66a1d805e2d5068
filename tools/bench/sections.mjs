// The parts of the benchmark. Each row of the table holds the function that measures, and the function that makes the
// table of results.
import { checkpointsTable, measureCheckpoints, mergedCheckpoints } from "./checkpoints.mjs";
import { connectionsTable, measureConnections } from "./connections.mjs";
import { formsTable, measureForms } from "./forms.mjs";
import { measureOperations, mergedOperations, operationsTable } from "./operations.mjs";
import { measureReport, reportTable } from "./report.mjs";
import { measureStartup, startupTable } from "./startup.mjs";
import { measureWaiting, waitingTable } from "./waiting.mjs";

/**
 * `measure(settings)` returns rows that go into the JSON unchanged; `table(rows)` makes Markdown of them. With
 * `merged(before, rows)`, rows of an earlier run stay if this run did not measure them again.
 */
export const SECTIONS = {
  startup: { measure: measureStartup, table: startupTable, settings: ({ runs }) => ({ runs: runs.startup }) },
  report: { measure: measureReport, table: reportTable, settings: ({ runs }) => ({ runs: runs.report }) },
  operations: {
    measure: measureOperations,
    table: operationsTable,
    merged: mergedOperations,
    settings: ({ counts, runs, latencies, candidates }) => ({
      counts,
      runs: runs.operations,
      latencies,
      only: candidates,
    }),
  },
  forms: {
    measure: measureForms,
    table: formsTable,
    merged: mergedOperations,
    settings: ({ counts, runs, candidates }) => ({
      counts,
      runs: runs.operations,
      ...(candidates && { only: candidates }),
    }),
  },
  checkpoints: {
    measure: measureCheckpoints,
    table: checkpointsTable,
    merged: mergedCheckpoints,
    settings: ({ counts, runs, candidates }) => ({ counts, runs: runs.operations, only: candidates }),
  },
  waiting: {
    measure: measureWaiting,
    table: waitingTable,
    settings: ({ runs, seconds }) => ({ count: 100, seconds, runs: runs.waiting }),
  },
  connections: {
    measure: measureConnections,
    table: connectionsTable,
    settings: ({ runs }) => ({ runs: runs.connections }),
  },
};

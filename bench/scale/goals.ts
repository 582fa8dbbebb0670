/** What a large installation may take. Of each row the first figure is held against its goal. */
export const goals = {
  'ms to ready': 5_000,
  'ms until in force': 300,
  'ms p95 of a list': 100,
  'MiB of a worker': 120,
  'ms of a comparison': 2_000,
} as const

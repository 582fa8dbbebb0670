import type { Answer } from '../lib/calls/call.ts'

/** An archive that is empty, beside a database that grows. */
export const buildArchive = (): Answer<'GET /api/archive'> => ({
  settings: {
    test_days: 30,
    read_days: 90,
    submit_days: 3650,
    cron: '0 2 * * *',
    time_zone: 'UTC',
  },
  folder: '/data/archive',
  round: {
    phase: 'idle',
    is_asked: false,
    started_at: null,
    ended_at: null,
    next_at: null,
    runs_due: 0,
    runs_written: 0,
    runs_removed: 0,
    problem: null,
  },
  growth: {
    classes: [],
    files: 0,
    archived_runs: 0,
    database: {
      used_bytes: 2 ** 30,
      reusable_bytes: 0,
      free_bytes: 2 ** 31,
      bytes_per_day: 2 ** 20,
      days_until_full: 2_048,
    },
    archive: {
      used_bytes: 0,
      reusable_bytes: 0,
      free_bytes: 2 ** 31,
      bytes_per_day: null,
      days_until_full: null,
    },
  },
  kept: [],
})

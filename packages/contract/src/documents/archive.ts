import { z } from 'zod'
import { optionalInteger, requiredText, strictFields } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/**
 * What decides how long the bodies and answers of a run stay in the database. `test`: a test. `read`:
 * every step reads. `submit`: everything else.
 */
export const archiveClasses = ['test', 'read', 'submit'] as const
export type ArchiveClass = (typeof archiveClasses)[number]

/** Submits stay for 10 years at least. */
const archiveDaysMin: Record<ArchiveClass, number> = { test: 1, read: 1, submit: 3650 }
const archiveDaysMax = 36_500

/** What a round does: it looks for runs that are due, writes a file, checks it, and removes bodies. */
const archivePhases = ['idle', 'sorting', 'writing', 'checking', 'removing'] as const
export type ArchivePhase = (typeof archivePhases)[number]

/** Why a round stopped. Nothing was removed that is not in a checked file. */
const archiveProblems = ['disk_full', 'file_changed', 'failed'] as const
export type ArchiveProblem = (typeof archiveProblems)[number]

const days = (name: ArchiveClass, label: string) =>
  optionalInteger(label, archiveDaysMin[name], archiveDaysMax)

/** Days after the end of a run; null: never. */
const archiveSettings = z.object({
  test_days: z.number().int().nullable(),
  read_days: z.number().int().nullable(),
  submit_days: z.number().int().nullable(),
  /** When rounds begin: five fields, in the time zone. */
  cron: z.string(),
  time_zone: z.string(),
})
export type ArchiveSettings = z.output<typeof archiveSettings>

const archiveRoundRecord = z.object({
  phase: z.enum(archivePhases),
  /** A person has asked for a round that has not begun. */
  is_asked: z.boolean(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  next_at: z.string().nullable(),
  runs_due: z.number().int(),
  runs_written: z.number().int(),
  runs_removed: z.number().int(),
  problem: z.object({ code: z.enum(archiveProblems), text: z.string(), at: z.string() }).nullable(),
})
export type ArchiveRoundRecord = z.output<typeof archiveRoundRecord>

const classFigures = z.object({
  class: z.enum(archiveClasses),
  /** Of the newest runs of the class; null: there is none among them. */
  bytes_per_1000_runs: z.number().int().nullable(),
})

/** Where there is room, and how fast it is used. */
const diskRecord = z.object({
  used_bytes: z.number().int(),
  /** In the database file, and used again before the file grows. */
  reusable_bytes: z.number().int(),
  /** Null: the disk is that of a database server, which does not say. */
  free_bytes: z.number().int().nullable(),
  /** Over the last 7 days; null: less than a day was measured. */
  bytes_per_day: z.number().int().nullable(),
  /** Null: it does not grow, or there are no figures. */
  days_until_full: z.number().int().nullable(),
})
export type DiskRecord = z.output<typeof diskRecord>

const archiveGrowth = z.object({
  classes: z.array(classFigures),
  /** Bodies and answers in these many files, and the runs whose bodies are there. */
  files: z.number().int(),
  archived_runs: z.number().int(),
  database: diskRecord,
  archive: diskRecord,
})
export type ArchiveGrowth = z.output<typeof archiveGrowth>

export const showArchive = defineRoute({
  method: 'GET',
  path: '/api/archive',
  access: 'archive.view',
  tag: 'Archive',
  summary: 'What stays how long, the round under way, and how database and archive grow',
  response: z.object({
    settings: archiveSettings,
    folder: z.string(),
    round: archiveRoundRecord,
    growth: archiveGrowth,
    /** What else is kept, and how long. */
    kept: z.array(z.object({ what: z.string(), how_long: z.string() })),
  }),
})

export const saveArchiveSettings = defineRoute({
  method: 'PUT',
  path: '/api/archive/settings',
  access: 'archive.edit',
  tag: 'Archive',
  summary: 'Change how long bodies and answers stay in the database; null: always',
  body: strictFields({
    test_days: days('test', 'days of tests'),
    read_days: days('read', 'days of reads'),
    submit_days: days('submit', 'days of submits'),
    cron: requiredText(100, 'schedule'),
    time_zone: requiredText(100, 'time zone'),
  }),
  response: archiveSettings,
})

export const archiveNow = defineRoute({
  method: 'POST',
  path: '/api/archive/round',
  access: 'archive.edit',
  tag: 'Archive',
  summary: 'Begin a round now',
  status: 202,
  response: archiveRoundRecord,
})

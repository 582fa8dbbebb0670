import { z } from 'zod'
import { idMax } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { registerFilter } from './register-fields.ts'

/** `elsewhere`: another server wrote it, into a folder that this one does not have. */
const fileChecks = ['intact', 'missing', 'changed', 'elsewhere'] as const
export type FileCheck = (typeof fileChecks)[number]

const archiveFileRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The server that wrote it, and whether that is the one that answers. */
  server: z.string(),
  is_own: z.boolean(),
  written_at: z.string(),
  bytes: z.number().int(),
  content_bytes: z.number().int(),
  sha256: z.string(),
  runs: z.number().int(),
  first_run_id: z.number().int(),
  last_run_id: z.number().int(),
  first_at: z.string(),
  last_at: z.string(),
  /** Null: not since it was written and checked. */
  check: z.object({ at: z.string(), result: z.enum(fileChecks) }).nullable(),
})
export type ArchiveFileRecord = z.output<typeof archiveFileRecord>

export const listArchiveFiles = defineRoute({
  method: 'GET',
  path: '/api/archive/files',
  access: 'archive.view',
  tag: 'Archive',
  summary: 'The files of the archive, newest first',
  query: listQuery(['id']),
  response: pageOf(archiveFileRecord),
})

export const checkArchiveFile = defineRoute({
  method: 'POST',
  path: '/api/archive/files/:id/check',
  access: 'archive.view',
  tag: 'Archive',
  summary: 'Read a file whole and compare it with its hashes and its manifest',
  params: idParams,
  response: archiveFileRecord,
})

export const downloadArchiveFile = defineRoute({
  method: 'GET',
  path: '/api/archive/files/:id/download',
  access: 'archive.download',
  tag: 'Archive',
  summary: 'A file of the archive, as it is',
  params: idParams,
  isFile: true,
  answers: 'application/gzip',
})

const archiveHit = z.object({
  run_id: z.number().int(),
  reference: z.string().nullable(),
  registers: z.array(z.string()),
  created_at: z.string(),
  file: z.object({ id: z.number().int(), name: z.string() }),
  line: z.number().int(),
})
export type ArchiveHit = z.output<typeof archiveHit>

/** By the number of a run, or by how a reference begins. At most 100, newest first. */
export const findArchived = defineRoute({
  method: 'GET',
  path: '/api/archive/runs',
  access: 'archive.view',
  tag: 'Archive',
  summary: 'Which file holds a run or a reference',
  query: z.object({ search: z.string().trim().min(1).max(200), register: registerFilter }),
  response: z.object({ hits: z.array(archiveHit), has_more: z.boolean() }),
})

/**
 * Reads files for a few seconds, from the newest, and says where to go on. The text counts as it is
 * written, case included; at most 100 hits a call. Needs `run.view` too: it tells what bodies hold.
 */
export const searchArchive = defineRoute({
  method: 'GET',
  path: '/api/archive/search',
  access: 'archive.view',
  tag: 'Archive',
  summary: 'Look for a text in what was sent and answered, file by file',
  query: z.object({
    text: z.string().min(3).max(200),
    /** Where the call before it stopped: `next` of its answer. */
    file: z.coerce.number().int().min(0).max(idMax).optional(),
    at: z.coerce.number().int().min(0).optional(),
  }),
  response: z.object({
    hits: z.array(archiveHit),
    /** Null: every file was read. */
    next: z.object({ file: z.number().int(), at: z.number().int() }).nullable(),
    read_bytes: z.number().int(),
    /** Files that this server could not read. */
    skipped: z.array(z.string()),
  }),
})

import { z } from 'zod'
import { flag } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { logLevels, logPageSize } from './log-levels.ts'

const noLevel = ''

const logEntry = z.object({
  /** Offset of the entry in its file, in bytes: stays the same while the file grows. */
  id: z.number().int(),
  /** Blank in files that are not in standard format, and on lines before the first heading. */
  level: z.enum([...logLevels, noLevel]),
  level_class: z.enum(['info', 'warning', 'danger', '']),
  level_img: z.enum(['info-circle', 'exclamation-triangle', '']),
  context: z.string(),
  date: z.string(),
  text: z.string(),
  stack: z.string(),
  request_id: z.string(),
  /** The entry is longer than what is shown of it. */
  is_truncated: z.boolean(),
})
export type LogEntry = z.output<typeof logEntry>

const logFile = z.object({
  /** What `l` and `file` name it by: folder and name. */
  id: z.string(),
  folder: z.string(),
  name: z.string(),
  size: z.number().int(),
  modified_at: z.string(),
})
export type LogFile = z.output<typeof logFile>

/** How far a large file has been read so far. */
const logReading = z.object({ done_bytes: z.number(), total_bytes: z.number() })

// Compared with the listing and used for nothing else, so whatever is sent may be anything.
const fileId = z.union([z.string(), z.array(z.string())])

const levelList = z
  .string()
  .trim()
  .max(200)
  .transform((value) => (value === '' ? [] : value.split(',')))
  .pipe(z.array(z.enum(logLevels)))

export const readLog = defineRoute({
  method: 'GET',
  path: '/api/logs',
  access: 'log.view',
  tag: 'Logs',
  summary: 'One page of a log file, newest first; without a file, of the newest',
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
    per_page: z.coerce.number().int().min(1).max(100).default(logPageSize),
    /** The file. */
    l: fileId.optional(),
    /** Only these levels, separated by commas. */
    level: levelList.optional(),
    /** Only entries whose lines hold this text, whatever the case of its letters A to Z. */
    search: z.string().trim().max(200).default(''),
    /** The page that holds the entry at this offset, in place of `page`. */
    entry: z.coerce.number().int().min(0).optional(),
    /** Repeated requests for new entries: the view is recorded once, when it begins. */
    follow: flag,
  }),
  // wire (spec: log-response): and what the page needs besides.
  response: z.object({
    logs: z.array(logEntry),
    files: z.array(logFile),
    folders: z.array(z.string()),
    current_file: z.string().nullable(),
    standardFormat: z.boolean(),
    /** While a large file is still being read, an estimate. */
    total: z.number().int(),
    /**
     * The entries that the search finds, by level, whatever levels are asked for; levels without an entry
     * are left out. While `reading`, those of the newest part alone.
     */
    levels: z.array(z.object({ level: z.enum(logLevels), entries: z.number().int() })),
    page: z.number().int(),
    per_page: z.number().int(),
    last_page: z.number().int(),
    /** Null once the file has been read; until then ask again. */
    reading: logReading.nullable(),
    /** Names of other servers that live: these are not their logs. */
    other_servers: z.array(z.string()),
  }),
})
export type LogPage = z.output<typeof readLog.response>

export const downloadLog = defineRoute({
  method: 'GET',
  path: '/api/logs/download',
  access: 'log.download',
  tag: 'Logs',
  summary: 'A whole log file; a browser goes there without a header, by the download cookie',
  query: z.object({ file: fileId.optional() }),
  isFile: true,
  answers: 'application/octet-stream',
  hasDownloadCookie: true,
})

import { z } from 'zod'

// A backup is one file: lines of JSON, compressed with gzip, so that any tool can look into it.
//
//   {"gatehouse_backup":1, …}                     the header
//   {"table":"user"}                              then each row: an array in the order of its columns
//   {"end":"user","rows":4,"sha256":"…"}
//   {"file":"2026/11/a.jsonl.gz"}                 then its content: texts in base64
//   {"end":"2026/11/a.jsonl.gz","sha256":"…"}
//   {"end_of_backup":true,"sha256":"…"}           the SHA-256 of all lines before, each with its line break
//
// Secrets are in it as the database holds them: sealed. The key that opens them is not.

export const formatVersion = 1

export const backupHeader = z.object({
  gatehouse_backup: z.literal(formatVersion),
  version: z.string(),
  made_at: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()).min(1),
  /** Shows which key opens the secrets; null: none was used yet. */
  key_check: z.string().nullable(),
  counters: z.record(z.string(), z.number().int()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  has_archive: z.boolean(),
})
export type BackupHeader = z.output<typeof backupHeader>

/** What comes between the rows. */
export type BackupMark =
  | { table: string }
  | { file: string }
  | { end: string; rows?: number; sha256: string }
  | { end_of_backup: true; sha256: string }

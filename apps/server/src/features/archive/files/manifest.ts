import { z } from 'zod'

/** A part of a file that can be read without the rest: one member of the gzip file. */
const block = z.object({
  /** Where it begins in the file, in bytes. */
  at: z.number().int().min(0),
  bytes: z.number().int().positive(),
  lines: z.number().int().positive(),
})
export type Block = z.output<typeof block>

const hash = z.string().regex(/^[\da-f]{64}$/)

/** What a file of the archive holds, in a file of its own beside it (docs/archive.md). */
export const manifest = z.object({
  format: z.literal(1),
  name: z.string(),
  bytes: z.number().int(),
  sha256: hash,
  content_bytes: z.number().int(),
  content_sha256: hash,
  lines: z.number().int(),
  first_run: z.object({ id: z.number().int(), created_at: z.string() }),
  last_run: z.object({ id: z.number().int(), created_at: z.string() }),
  written_at: z.string(),
  /** The server that wrote it. */
  server: z.string(),
  /** The manifest before this one; null in the first. */
  previous: z.object({ name: z.string(), sha256: hash }).nullable(),
  blocks: z.array(block),
})
export type Manifest = z.output<typeof manifest>

export const manifestNameOf = (file: string) => file.replace(/\.ndjson\.gz$/, '.manifest.json')

export const manifestText = (content: Manifest) => `${JSON.stringify(content, null, 1)}\n`

import type { CallOutput, Routes } from '@gatehouse/contract'

export type Check = CallOutput<Routes['POST /api/workflows/:slug/batches/check']>
type Csv = NonNullable<Check['csv']>

/** What takes the place of bad rows, by their number; null leaves one out. */
type Mended = ReadonlyMap<number, readonly string[] | null>

/** The same file with these rows in the place of the bad ones; those that are not named stay. */
export function withRows(file: File, { bad_rows }: Csv, mended: Mended): File {
  const parts: BlobPart[] = []
  let at = 0
  for (const { line, from, to } of bad_rows ?? []) {
    const cells = mended.get(line)
    if (cells === undefined) continue
    parts.push(file.slice(at, from))
    if (cells !== null) parts.push(rowText(cells))
    at = to
  }
  parts.push(file.slice(at))
  return new File(parts, file.name, { type: file.type })
}

/** The rows that fit. */
export const goodRows = (file: File, csv: Csv): File =>
  withRows(file, csv, new Map((csv.bad_rows ?? []).map(({ line }) => [line, null])))

/** The header and the rows that do not fit, as they are in the file. */
export const badRows = (file: File, { header_bytes, bad_rows }: Csv): Blob =>
  new Blob(
    [file.slice(0, header_bytes), ...(bad_rows ?? []).map(({ from, to }) => file.slice(from, to))],
    { type: 'text/csv' },
  )

/** RFC 4180. */
const rowText = (cells: readonly string[]) => `${cells.map(cellText).join(',')}\r\n`

const cellText = (text: string) =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

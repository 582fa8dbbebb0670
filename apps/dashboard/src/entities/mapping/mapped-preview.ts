import {
  mapData,
  parseFrom,
  parsePath,
  pathsOf,
  stringifyExact,
  type ExactJson,
  type MappingError,
  type MappingRow,
} from '@gatehouse/contract/mapping'

export interface MappedPreview {
  /** What would be sent, pretty-printed; blank while there are no rows, or no data for them. */
  text: string
  errors: MappingError[]
  /** Rows read from fetched data, and nothing has been fetched yet. */
  needsData: boolean
}

/** Of the preview alone: each Send has its own. */
const previewMoment = () => ({ now: new Date().toISOString(), seed: 'preview' })

export const noPreview: MappedPreview = { text: '', errors: [], needsData: false }

/**
 * What the rows make of the fetched data, by the very function that the server maps with. Without
 * fetched data only those errors are reported that any data would leave.
 */
export function previewMapping(
  data: ExactJson | undefined,
  rows: readonly MappingRow[],
): MappedPreview {
  if (rows.length === 0) return noPreview
  const { mapped, errors } = mapData(data ?? null, rows, previewMoment())
  const needsData = data === undefined && rows.some(readsData)
  if (needsData) {
    return { text: '', errors: errors.filter((error) => isInAnyData(error, rows)), needsData }
  }
  return { text: stringifyExact(mapped, 2), errors, needsData }
}

function readsData({ from }: MappingRow): boolean {
  const parsed = parseFrom(from)
  return parsed.ok && pathsOf(parsed.from).length > 0
}

function isInAnyData({ row: at, field }: MappingError, rows: readonly MappingRow[]): boolean {
  const row = rows[at]
  if (!row) return true
  if (field === 'from') return !readsData(row)
  // A list may be missing because the rows above it have found nothing.
  if (field === 'to') return !parsePath(row.to, 'write').ok
  return field === 'type' || !readsData(row)
}

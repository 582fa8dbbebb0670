import {
  mapData,
  parseFrom,
  parsePath,
  pathsOf,
  rowValues,
  stringifyExact,
  type ExactJson,
  type MappingError,
  type MappingRow,
} from '@gatehouse/contract/mapping'
import { coverageOf, type SourceCoverage } from './source-coverage.ts'

export interface MappedPreview {
  /** What would be sent, pretty-printed; blank while there are no rows, or no data for them. */
  text: string
  errors: MappingError[]
  /** Rows read from fetched data, and nothing has been fetched yet. */
  needsData: boolean
  /** What From of each row gives now, in short. */
  values: (string | undefined)[]
  /** What of the fetched data the rows read; undefined while nothing was fetched. */
  coverage: SourceCoverage | undefined
}

/** Of the preview alone: each Send has its own. */
const previewMoment = () => ({ now: new Date().toISOString(), seed: 'preview' })

export const noPreview: MappedPreview = {
  text: '',
  errors: [],
  needsData: false,
  values: [],
  coverage: undefined,
}

/**
 * What the rows make of the fetched data, by the very function that the server maps with. Without
 * fetched data only those errors are reported that any data would leave.
 */
export function previewMapping(
  data: ExactJson | undefined,
  rows: readonly MappingRow[],
): MappedPreview {
  const coverage = data === undefined ? undefined : coverageOf(data, rows)
  if (rows.length === 0) return { ...noPreview, coverage }
  const moment = previewMoment()
  const { mapped, errors } = mapData(data ?? null, rows, moment)
  const values = rowValues(data ?? null, rows, moment)
  const needsData = data === undefined && rows.some(readsData)
  if (needsData) {
    const ofRows = errors.filter((error) => isInAnyData(error, rows))
    return { text: '', errors: ofRows, needsData, values: [], coverage }
  }
  return { text: stringifyExact(mapped, 2), errors, needsData, values, coverage }
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

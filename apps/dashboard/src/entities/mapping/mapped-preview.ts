import {
  mapData,
  parsePath,
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

export const noPreview: MappedPreview = { text: '', errors: [], needsData: false }

/**
 * What the rows make of the fetched data, by the very function that the server maps with. Without
 * fetched data it is mapped from null, as there; rows that would read from it are then not blamed
 * for what they cannot find.
 */
export function previewMapping(
  data: ExactJson | undefined,
  rows: readonly MappingRow[],
): MappedPreview {
  if (rows.length === 0) return noPreview
  const result = mapData(data ?? null, rows)
  const isMissOnly = ({ row, field }: MappingError) =>
    field === 'from' && parsePath(rows[row]?.from ?? '', 'read').ok
  const errors =
    data === undefined ? result.errors.filter((error) => !isMissOnly(error)) : result.errors
  const needsData = errors.length < result.errors.length
  return { text: needsData ? '' : stringifyExact(result.mapped, 2), errors, needsData }
}

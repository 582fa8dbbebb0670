import type { ExactJson, ExactObject } from './exact/exact-json.ts'
import { isExactObject, ownValue } from './exact/exact-json.ts'
import type { PathSegment } from './paths/path-segments.ts'
import { kindOf } from './show-value.ts'

/** One row of a mapping as it is typed and stored; a blank field is ''. */
export interface MappingRow {
  from: string
  to: string
  custom_input: string
  type: string
}

/** A row whose From begins at a place in the source. */
export interface RootedRow extends MappingRow {
  /** Absent: the whole source. */
  root?: readonly PathSegment[]
}

export interface MappingError {
  /** Index from 0. */
  row: number
  /** `rows` means the row as a whole, or all of them together. */
  field: 'from' | 'to' | 'custom_input' | 'type' | 'rows'
  /** A sentence for an administrator; it does not repeat the number of the row. */
  message: string
}

/**
 * Tells mapping rows from a finished body by shape: a list whose every element has a text `to`, and
 * `from` or `custom_input`. An empty list is a finished body: no rows would send an empty object,
 * which nobody means by typing `[]`.
 */
export function looksLikeMappingRows(value: ExactJson): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(looksLikeRow)
}

/**
 * Reads mapping rows from parsed JSON. A missing or null field is blank, unknown fields are ignored,
 * and anything but text in a field is an error. `rows` keeps one row per element, faulty ones
 * included, so that indexes agree; do not map when there are errors.
 */
export function toMappingRows(value: ExactJson): { rows: MappingRow[]; errors: MappingError[] } {
  const errors: MappingError[] = []
  if (!Array.isArray(value)) {
    const message = `The mapping must be a list of rows, not ${kindOf(value)}.`
    return { rows: [], errors: [{ row: 0, field: 'rows', message }] }
  }
  const rows = value.map((element, row): MappingRow => {
    if (!isExactObject(element)) {
      errors.push({
        row,
        field: 'rows',
        message: `A row must be an object, not ${kindOf(element)}.`,
      })
      return { from: '', to: '', custom_input: '', type: '' }
    }
    const field = (name: keyof MappingRow): string => {
      const content = ownValue(element, name) ?? ''
      if (typeof content === 'string') return content
      const message = `"${name}" must be text in quotes, not ${kindOf(content)}.`
      errors.push({ row, field: name, message })
      return ''
    }
    return {
      from: field('from'),
      to: field('to'),
      custom_input: field('custom_input'),
      type: field('type'),
    }
  })
  return { rows, errors }
}

function looksLikeRow(value: ExactJson): boolean {
  return (
    isExactObject(value) &&
    typeof ownValue(value, 'to') === 'string' &&
    (hasKey(value, 'from') || hasKey(value, 'custom_input'))
  )
}

function hasKey(object: ExactObject, key: string): boolean {
  return Object.hasOwn(object, key)
}

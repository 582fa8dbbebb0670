import { rowsToText, type FormRow } from '../../entities/mapping/mapping-form.ts'

/** Which of the two ways Send goes: a body that is typed wins over the mapping. */
export type Sent =
  | { kind: 'body' }
  /** The typed body has the shape of mapping rows, and the server takes it for those (spec: prepare-data). */
  | { kind: 'body-as-rows' }
  | { kind: 'mapping'; rowCount: number }
  | { kind: 'nothing' }

export function whatIsSent(body: string, isRows: boolean, rows: readonly FormRow[]): Sent {
  if (body.trim() === '') {
    return rows.length === 0 ? { kind: 'nothing' } : { kind: 'mapping', rowCount: rows.length }
  }
  return { kind: isRows ? 'body-as-rows' : 'body' }
}

/** wire: `second_endpoint`, the finished body or the rows; blank where there is neither. */
export function secondEndpoint(body: string, rows: readonly FormRow[]): string {
  if (body.trim() !== '') return body
  return rows.length === 0 ? '' : rowsToText(rows)
}

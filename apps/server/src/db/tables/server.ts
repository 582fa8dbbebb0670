import { number, text } from './column.ts'

/** One row; see app-key.ts. */
export const keyCheck = {
  id: number,
  check_value: text,
  created_at: text,
}

/** One row. */
export const configRevision = {
  id: number,
  /** Counted up by every change of what the gateway runs on. */
  revision: number,
}

import { number, text, textOrNull } from './column.ts'

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
  /** Random; another one with every change. */
  mark: text,
}

/** Work that one server does at a time. */
export const duty = {
  name: text,
  lease_owner: text,
  lease_until: text,
  /** When a round last ended, on any server. */
  round_at: textOrNull,
}

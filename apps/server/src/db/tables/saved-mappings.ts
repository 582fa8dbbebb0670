import { generatedNumber, number, text } from './column.ts'

export const savedMapping = {
  id: generatedNumber,
  name: text,
  /** JSON: the rows as they were typed. */
  rows: text,
  rows_count: number,
  /** Who saved it last. */
  user_name: text,
  updated_at: text,
  version: generatedNumber,
}

import { generatedNumber, number, text } from './column.ts'

/** A backup that was made of this database. */
export const backup = {
  id: generatedNumber,
  /** The moment that it holds. */
  made_at: text,
  file: text,
  bytes: number,
}

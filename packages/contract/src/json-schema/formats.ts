import type { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// The full checks know calendars. Those of addresses are simple patterns, which no input slows down.
const fullFormats = ['date', 'time', 'date-time', 'uuid'] as const
const fastFormats = ['email', 'uri'] as const

/** The formats that are checked; others say what is meant (validation §7.2.1). */
export const checkedFormats: readonly string[] = [...fullFormats, ...fastFormats]

export function addCheckedFormats(ajv: Ajv2020): void {
  addFormats.default(ajv, { mode: 'full', formats: [...fullFormats] })
  addFormats.default(ajv, { mode: 'fast', formats: [...fastFormats] })
}

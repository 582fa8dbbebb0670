import type { FieldErrors } from '@gatehouse/contract'

/** An input of an upload as JSON text, or why it can't be read. `line` counts inputs from 1. */
export type RawInput = { line: number; text: string } | { line: number; errors: FieldErrors }

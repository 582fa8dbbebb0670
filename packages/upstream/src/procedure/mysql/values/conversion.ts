import type { BoundValue } from '../answer-sink.ts'

/** The value to bind, or a message for the caller that says what is wrong with it. */
export type Conversion = { ok: true; value: BoundValue } | { ok: false; message: string }

export const bound = (value: BoundValue): Conversion => ({ ok: true, value })
export const unfit = (message: string): Conversion => ({ ok: false, message })

import type { LosslessNumber } from 'lossless-json'

/**
 * A JSON object. Ours have no prototype, so any key, `__proto__` too, is a plain entry. Those that are read
 * keep the order of their keys.
 */
export interface ExactObject {
  [key: string]: ExactJson
}

/** JSON whose numbers are kept as the text they were written in: `0.10` stays `0.10`. */
export type ExactJson = null | boolean | string | LosslessNumber | ExactJson[] | ExactObject

import type { Keys } from '../../kernel/located-document.ts'

/** The fields of a thing. */
export type Value = Record<string, unknown>

/** Where a value has a secret, and whether one is stored. */
export interface SecretPlace {
  keys: Keys
  isStored: boolean
}

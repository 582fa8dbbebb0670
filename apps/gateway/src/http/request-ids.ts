import { randomBytes } from 'node:crypto'

/** Ids that no other worker gives: its own random beginning and a number. They are no secret. */
export class RequestIds {
  readonly #prefix = `${randomBytes(6).toString('base64url').replace(/[-_]/g, '0')}-`
  #count = 0

  next(): string {
    return this.#prefix + (++this.#count).toString(36)
  }
}

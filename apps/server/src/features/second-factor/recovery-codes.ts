import { createHash, randomInt } from 'node:crypto'

const count = 10
// No letter that looks like another one or like a digit.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4

/** Ten codes of 16 signs, such as `k3vd-9q2m-x7fa-hw5r`: 79 bits each, so that a plain hash keeps them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => Array.from({ length: groups }, group).join('-'))
}

const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** As it was typed: spaces, dashes and capitals do not count. */
export const recoveryCodeHash = (typed: string): string =>
  createHash('sha256').update(typed.toLowerCase().replace(/[\s-]/g, '')).digest('hex')

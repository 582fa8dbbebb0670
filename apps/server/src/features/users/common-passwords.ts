import { fieldError } from '../../kernel/app-error.ts'

/** Refuses a password that a guesser tries first. Throws a 422 on `password`. */
export function refuseCommonPassword(
  password: string,
  person: { name: string; email: string; username: string },
): void {
  const folded = password.toLowerCase()
  const own = [person.email, person.username, person.email.split('@')[0] ?? '', person.name]
  const isOwn = own.some((text) => text.length >= 4 && folded === text.toLowerCase())
  if (isOwn || isPattern(folded)) {
    throw fieldError({ password: ['This password is too easy to guess. Choose another.'] })
  }
}

/** One or two characters over and over, a run along the alphabet or the keyboard, or such a word repeated. */
function isPattern(password: string): boolean {
  if (new Set(password).size <= 2) return true
  const unit = /^(.{1,8}?)\1+$/.exec(password)?.[1]
  if (unit !== undefined && password.length / unit.length >= 3) return true
  return sequences.some(
    (sequence) =>
      sequence.includes(password) || sequence.includes([...password].toReversed().join('')),
  )
}

const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
].map((sequence) => sequence + sequence)

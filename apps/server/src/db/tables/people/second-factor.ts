import { generatedNumber, number, text, textOrNull } from '../column.ts'

export const secondFactor = {
  user_id: number,
  secret_encrypted: text,
  last_step: generatedNumber,
  created_at: text,
  confirmed_at: textOrNull,
}

/** Wrong codes in a row; see features/second-factor/code-bound.ts. */
export const codeFailure = {
  user_id: number,
  place_hash: text,
  failures: number,
  last_at: text,
  refused_at: textOrNull,
}

export const recoveryCode = { user_id: number, code_hash: text }

import { generatedNumber, number, text, textOrNull } from './column.ts'

export const secondFactor = {
  user_id: number,
  secret_encrypted: text,
  last_step: generatedNumber,
  created_at: text,
  confirmed_at: textOrNull,
}

export const recoveryCode = { user_id: number, code_hash: text }

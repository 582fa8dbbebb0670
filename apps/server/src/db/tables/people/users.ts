import { generatedNumber, number, text, textOrNull } from '../column.ts'

export const user = {
  id: generatedNumber,
  name: text,
  email: text,
  email_key: text,
  username: text,
  username_key: text,
  password_hash: textOrNull,
  version: generatedNumber,
  created_at: text,
  updated_at: text,
}

/** Which language a user has chosen for the dashboard. */
export const userLanguage = { user_id: number, language: text }

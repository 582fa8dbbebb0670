import { flag, generatedNumber, number, text, textOrNull } from '../column.ts'

/** What its form says, but for the secret. */
export const signOnForm = {
  name: text,
  is_active: flag,
  issuer: text,
  client_id: text,
  /** With spaces between. */
  scopes: text,
  role_claim: text,
  creates_users: flag,
  signs_out: flag,
}

export const signOnProvider = {
  id: generatedNumber,
  ...signOnForm,
  client_secret_encrypted: textOrNull,
  /** Who saved it last. */
  user_name: text,
  updated_at: text,
  version: generatedNumber,
}

export const signOnRole = { role_id: number, value: text }

export const userIdentity = {
  issuer: text,
  subject: text,
  user_id: number,
  /** 1: the user was made at a sign-on, and has the roles that the provider says. */
  is_managed: flag,
  created_at: text,
}

import type { JwtAlgorithm } from '@gatehouse/contract'
import { flag, generatedNumber, json, number, text, textOrNull } from '../column.ts'

/** What its form says. */
export const issuerForm = {
  name: text,
  is_active: flag,
  issuer: text,
  audience: text,
  /** Blank: the keys were typed in. */
  jwks_url: text,
  jwks: text,
  algorithms: json<JwtAlgorithm[]>(),
  skew_seconds: number,
  role_claim: text,
}

export const tokenIssuer = {
  id: generatedNumber,
  ...issuerForm,
  /** JSON: the public keys in force. */
  keys: text,
  keys_read_at: textOrNull,
  keys_tried_at: textOrNull,
  /** When they are fetched next; null: never. */
  keys_due_at: textOrNull,
  /** Why the last try gave no keys; null: it did. */
  keys_problem: textOrNull,
  /** Who saved it last. */
  user_name: text,
  updated_at: text,
  version: generatedNumber,
}

export const tokenIssuerRole = {
  issuer_id: number,
  role_id: number,
  value: text,
}

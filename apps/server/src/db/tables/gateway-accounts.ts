import { number, text } from './column.ts'

/** An account of PostgreSQL for gateways that run alone. */
export const gatewayAccount = {
  /** As PostgreSQL knows it. */
  name: text,
  /** The key that its gateways have, sealed with the key of the control plane. */
  key_encrypted: text,
  created_at: text,
}

/** The configuration for the gateways of an account, sealed with its key. They may read this table. */
export const gatewayConfig = {
  account: text,
  revision: number,
  mark: text,
  sealed: text,
  written_at: text,
}

/** A token of an authority for the gateways of an account, sealed with its key. They may read this table. */
export const gatewayToken = {
  account: text,
  api_id: number,
  version: number,
  sealed: text,
}

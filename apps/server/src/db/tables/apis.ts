import type { accesses, drivers, protocols, statuses, TlsMode } from '@gatehouse/contract'
import {
  column,
  flag,
  generatedFlag,
  generatedNumber,
  generatedText,
  number,
  numberOrNull,
  text,
  textOrNull,
} from './column.ts'

/** How an API signs in to its upstream, in force or in a draft. */
export const apiSignIn = {
  /** JSON without its secrets; null: none, or a plain token. */
  credential: textOrNull,
  /** The secrets of `credential`, as JSON; the token itself where that is null. */
  upstream_token_encrypted: textOrNull,
  test_credential: textOrNull,
  test_credential_encrypted: textOrNull,
  /** JSON without its secrets, and what is shown of the certificate. */
  tls: textOrNull,
  tls_encrypted: textOrNull,
}

/** See `api`. One at most for each. */
export const apiDraft = {
  api_id: number,
  /** JSON: what `toColumns` says, but for the name. */
  columns: text,
  ...apiSignIn,
  /** JSON: ids of personal tokens. */
  token_ids: text,
  /** The version of the API that it was saved over. */
  base_version: number,
  version: number,
  saved_at: text,
  saved_by: text,
}

export const api = {
  id: generatedNumber,
  name: text,
  name_key: text,
  context: text,
  api_protocol: column<(typeof protocols)[number]>(),
  authentication: flag,
  auth_type: column<'bearer_token' | null>(),
  gateway_status: column<(typeof statuses)[number]>(),
  api_access: column<(typeof accesses)[number]>(),
  offer_to_agents: generatedFlag,
  /** Where the documents that go to it are known once each. */
  document_register: generatedText,
  api_url: textOrNull,
  test_api_url: textOrNull,
  driver: column<(typeof drivers)[number] | null>(),
  host: textOrNull,
  port: numberOrNull,
  database: textOrNull,
  username: textOrNull,
  password_encrypted: textOrNull,
  func_name: textOrNull,
  /** Null: as the driver has it by default. */
  db_tls: column<TlsMode | null>(),
  db_ca: textOrNull,
  ...apiSignIn,
  /** JSON; null: none. */
  static_headers: textOrNull,
  connect_timeout_ms: numberOrNull,
  answer_timeout_ms: numberOrNull,
  /** JSON; null while every part is off. */
  traffic_policy: textOrNull,
  /** JSON; null: its cache was never purged. */
  cache_purges: textOrNull,
  /** JSON; null: none. */
  tags: textOrNull,
  version: number,
  created_at: text,
  updated_at: text,
}

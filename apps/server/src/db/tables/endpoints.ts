import type { AgentOffer, methods, statuses } from '@gatehouse/contract'
import { column, flag, generatedNumber, number, numberOrNull, text, textOrNull } from './column.ts'

export const endpoint = {
  id: generatedNumber,
  api_id: number,
  method_type: column<(typeof methods)[number]>(),
  status: column<(typeof statuses)[number]>(),
  path: text,
  /** The path without the names of its parameters. */
  path_key: text,
  summary: text,
  description: text,
  /** Null while custom output is off. */
  custom_output: textOrNull,
  authentication: flag,
  /** JSON; null: none. */
  static_headers: textOrNull,
  /** JSON; null: none is declared. */
  parameters: textOrNull,
  /** JSON; null: nothing is checked. */
  validation: textOrNull,
  /** JSON; null: nothing is changed. */
  transformation: textOrNull,
  /** JSON; null: no WebSockets. */
  web_socket: textOrNull,
  /** Null: that of its API. */
  answer_timeout_ms: numberOrNull,
  /** Null: as its API is. */
  agent_offer: column<AgentOffer | null>(),
  /** Null until it becomes a tool. */
  tool_name: textOrNull,
  /** Null: made of the summary and the description. */
  tool_description: textOrNull,
  /** For how many hours a call of an agent waits for its release; null: none has to. */
  agent_release_hours: numberOrNull,
  /** JSON; null means the settings that follow from the method. */
  run_settings: textOrNull,
  /** The endpoint that the settings' status query asks. */
  status_endpoint_id: numberOrNull,
  /** JSON; null: none. */
  tags: textOrNull,
  version: number,
  created_at: text,
  updated_at: text,
}

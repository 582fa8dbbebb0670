import type { ChoiceSource } from '../../entities/endpoint/choice-source.tsx'
import { call } from '../../lib/calls/call.ts'
import { callText } from '../../lib/calls/call-bodies.ts'
import { confirmingHeld } from '../../lib/forms/held-question.ts'
import type { EngineLink } from './engine-link.ts'
import type { ReadAnswer } from './mapping-engine.ts'

/** Endpoints to choose from: those that are active and that the user has access to. */
export const buildRequestChoices: ChoiceSource = {
  name: 'build-request',
  load: async (query, signal) => (await call('GET /api/buildRequest', { query, signal }))[0],
}

interface FetchInput {
  endpoint: string | null
  body: string
  token: string
}

/** Fetches; the engine keeps the data, to map rows from it. */
export async function fetchData(
  input: FetchInput,
  engine: EngineLink,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const query = { end_point: input.endpoint ?? '', body: input.body, token: input.token }
  return engine.read(await callText('GET /admin/get-data', { query, signal }), true)
}

interface SendInput {
  endpoint: string | null
  /** The fetched JSON as text; blank while nothing has been fetched. */
  fetched: string
  second: string
  token: string
}

/** Not to be aborted: what has been sent is seen through to its answer. */
export async function sendData(input: SendInput, engine: EngineLink): Promise<ReadAnswer> {
  const body = {
    end_point: input.endpoint,
    first_endpoint: input.fetched,
    second_endpoint: input.second,
    token: input.token,
  }
  const text = await confirmingHeld((confirmed) =>
    callText('POST /api/prepare-data', { body: { ...body, ...confirmed } }),
  )
  return engine.read(text, false)
}

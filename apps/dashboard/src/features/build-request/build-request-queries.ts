import { queryOptions } from '@tanstack/react-query'
import { stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import { call, callText } from '../../lib/call.ts'
import { readExchange, type ExchangeAnswer } from './exchange-answer.ts'

export const buildRequestQueries = {
  /** Endpoints to choose from: those that are active and that the user has access to. */
  choices: () =>
    queryOptions({
      queryKey: ['build-request', 'choices'],
      queryFn: async ({ signal }) => {
        const [choices] = await call('GET /api/buildRequest', { signal })
        return choices
      },
    }),
}

interface FetchInput {
  endpoint: string | null
  body: string
  token: string
}

export function fetchData(input: FetchInput, signal: AbortSignal): Promise<ExchangeAnswer> {
  const query = { end_point: input.endpoint ?? '', body: input.body, token: input.token }
  return callText('GET /admin/get-data', { query, signal }).then(readExchange)
}

interface SendInput {
  endpoint: string | null
  /** Undefined while nothing has been fetched. */
  fetched: ExactJson | undefined
  second: string
  token: string
}

/** Not to be aborted: what has been sent is seen through to its answer. */
export function sendData(input: SendInput): Promise<ExchangeAnswer> {
  const body = {
    end_point: input.endpoint,
    first_endpoint: input.fetched === undefined ? '' : stringifyExact(input.fetched),
    second_endpoint: input.second,
    token: input.token,
  }
  return callText('POST /api/prepare-data', { body }).then(readExchange)
}

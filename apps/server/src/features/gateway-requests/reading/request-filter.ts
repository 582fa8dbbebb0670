import type { RequestOutcome } from '@gatehouse/contract'

export interface RequestFilter {
  /** ISO 8601 with milliseconds; inclusive. */
  from?: string | undefined
  /** Exclusive. */
  to?: string | undefined
  api?: number | undefined
  endpoint?: number | undefined
  client?: number | undefined
  token?: number | undefined
  /** An outcome or a status. */
  status?: string | undefined
  method?: string | undefined
  search: string
  slower?: number | undefined
}

/** A line of the access log. */
export interface AccessLine {
  file: string
  offset: number
  /** Behind its line feed. */
  end: number
  /** Orders lines of several workers: its time, but never after that of a line behind it. */
  key: string
  fields: Readonly<Record<string, unknown>>
}

const outcomes: Record<RequestOutcome, (status: number, fields: AccessLine['fields']) => boolean> =
  {
    answered: (status) => status > 0 && status < 400,
    refused: (status) => status >= 400 && status < 500,
    failed: (status) => status === 0 || status >= 500,
    noted: (_status, { code, detail }) => code === undefined && detail !== undefined,
  }

/** Says of a line's fields whether it is a request that the filter lets through. */
export function requestMatcher(filter: RequestFilter) {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean)
  const same: [string, unknown][] = [
    ['api_id', filter.api],
    ['endpoint_id', filter.endpoint],
    ['user_id', filter.client],
    ['token_id', filter.token],
    ['method', filter.method],
  ]
  const asked = same.filter(([, value]) => value !== undefined)
  return (fields: AccessLine['fields']): boolean => {
    const { time, status, request_id, duration_ms = 0, path = '' } = fields
    if (typeof status !== 'number' || typeof request_id !== 'string') return false
    if (typeof time !== 'string' || !isWithin(time, filter)) return false
    if (asked.some(([name, value]) => fields[name] !== value)) return false
    if (filter.status !== undefined && !hasStatus(status, filter.status, fields)) return false
    if (filter.slower !== undefined && Number(duration_ms) < filter.slower) return false
    if (words.length === 0 || filter.search === request_id) return true
    const text = String(path).toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

const isWithin = (time: string, { from, to }: RequestFilter) =>
  (from === undefined || time >= from) && (to === undefined || time < to)

const hasStatus = (status: number, asked: string, fields: AccessLine['fields']) =>
  Object.hasOwn(outcomes, asked)
    ? outcomes[asked as RequestOutcome](status, fields)
    : status === Number(asked)

/**
 * Bytes that every line which the filter lets through holds: lines without them need not be read. The
 * rarest first: a token makes fewer requests than an API gets. Undefined: there are none.
 */
export function neededBytes(filter: RequestFilter): Buffer | undefined {
  const { token, endpoint, client, api, status, method } = filter
  const texts = [
    token !== undefined && `"token_id":${token}`,
    endpoint !== undefined && `"endpoint_id":${endpoint},`,
    client !== undefined && `"user_id":${client}`,
    status === 'failed' && '{"level":"warn"',
    status === 'noted' && '"detail":',
    status !== undefined && /^\d+$/.test(status) && `"status":${Number(status)},`,
    api !== undefined && `"api_id":${api},`,
    method !== undefined && `"method":"${method}"`,
  ]
  const text = texts.find((each) => each !== false)
  return text === undefined ? undefined : Buffer.from(text)
}

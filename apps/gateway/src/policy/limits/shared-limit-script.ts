/**
 * One request against a limit that several servers share: the same bucket as `RateLimiter` keeps (GCRA),
 * by the clock of Redis and in whole microseconds, which a double holds exactly.
 *
 *   KEYS[1]  the client of one limit; holds when its bucket would be full again
 *   ARGV[1]  what one request takes, ARGV[2] how much a client may be ahead, both in microseconds
 *
 * Returns 1 or 0 (let through or not) and how far ahead the client is now. A time that lies too far ahead
 * was written before the clock of Redis was set back.
 */
export const sharedLimitScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local most = tonumber(ARGV[2])
local full = tonumber(redis.call('GET', KEYS[1]) or '0')
if full < now then full = now end
if full > now + most then full = now + most end
local after = full + interval
if after - now > most then return {0, full - now} end
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
return {1, after - now}
`

/** One request of a client, as Redis counts it. */
export interface SharedTake {
  /** Of all clients of all limits. */
  key: string
  requests: number
  windowSeconds: number
}

export interface SharedTaken {
  isAllowed: boolean
  /** Until the whole quota is there again. */
  busyMs: number
}

/** Never lets more through than the quota: what one request takes is rounded up. */
export function scriptArguments({ requests, windowSeconds }: SharedTake): [string, string] {
  const intervalUs = Math.ceil((windowSeconds * 1e6) / requests)
  return [String(intervalUs), String(intervalUs * requests)]
}

/** Throws where it is something else. */
export function readTaken(reply: unknown): SharedTaken {
  const [isAllowed, busyUs] = Array.isArray(reply) ? (reply as unknown[]) : []
  if (typeof busyUs !== 'number') throw new Error('Redis gave an answer that is not understood.')
  return { isAllowed: isAllowed === 1, busyMs: busyUs / 1_000 }
}

/**
 * One request against a limit that several servers share: the same bucket as `RateLimiter` keeps (GCRA),
 * by the clock of Redis and in whole microseconds, which a double holds exactly.
 *
 *   KEYS[1]  the client of one limit; holds when its bucket would be full again
 *   ARGV[1]  what one request takes, ARGV[2] how much a client may be ahead,
 *   ARGV[3]  how far ahead the caller knows the client to be: more than is stored where Redis lost its data,
 *   ARGV[4]  what the caller let through while it could not ask; all in microseconds
 *
 * Returns 1 or 0 (let through or not) and how far ahead the client is now. A time that lies too far ahead
 * was written before the clock of Redis was set back.
 */
export const sharedLimitScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local most = tonumber(ARGV[2])
local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
local full = math.max(stored, now + tonumber(ARGV[3])) + tonumber(ARGV[4])
if full > now + most then full = now + most end
local allowed = full + interval - now <= most
if allowed then full = full + interval end
if full > stored then
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
end
return {allowed and 1 or 0, full - now}
`

/** What a server knows of a client before it asks Redis. */
export interface Ahead {
  /** Until the whole quota would be there again, at least: milliseconds. */
  knownMs: number
  /** Requests that it let through alone since it asked last. */
  alone: number
}

/** One request of a client, as Redis counts it. */
export interface SharedTake extends Ahead {
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
export function scriptArguments({ requests, windowSeconds, knownMs, alone }: SharedTake): string[] {
  const intervalUs = Math.ceil((windowSeconds * 1e6) / requests)
  const knownUs = Math.floor(knownMs * 1_000)
  return [intervalUs, intervalUs * requests, knownUs, alone * intervalUs].map(String)
}

/** Throws where it is something else. */
export function readTaken(reply: unknown): SharedTaken {
  const [isAllowed, busyUs] = Array.isArray(reply) ? (reply as unknown[]) : []
  if (typeof busyUs !== 'number') throw new Error('Redis gave an answer that is not understood.')
  return { isAllowed: isAllowed === 1, busyMs: busyUs / 1_000 }
}

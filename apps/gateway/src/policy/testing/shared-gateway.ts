import { on } from 'node:events'
import { EventEmitter } from 'node:events'
import type { TrafficPolicy } from '@gatehouse/contract/gateway'
import { onTestFinished } from 'vitest'
import type { SharedLimitsState } from '../../messages/worker-messages.ts'
import { snapshotWith, startGateway, startUpstream } from './policy-gateway.ts'

type RateLimit = NonNullable<TrafficPolicy['rate_limit']>

/** It refills within a day: in a test not at all. */
export const sixtyADay: RateLimit = { requests: 60, window_seconds: 86_400, per: 'endpoint' }

/** For a Redis that answers, on a machine that is busy with other things. */
export const patience = { connectMs: 60_000, answerMs: 60_000 }

interface Sharing {
  servers?: number
  policy?: Partial<TrafficPolicy>
  /** Waits for Redis no longer than clients of the product do. */
  isHurried?: boolean
}

/** A gateway that counts its limits in Redis, as one of so many servers. */
export async function startSharing(
  url: string,
  { servers = 1, policy = {}, isHurried = false }: Sharing = {},
) {
  const upstream = await startUpstream((req, res) => req.pipe(res))
  const snapshot = snapshotWith({ rate_limit: sixtyADay, ...policy }, { base_url: upstream.url })
  const { ask, policies } = await startGateway(snapshot)
  const { limits } = policies
  limits.servers = servers
  const states = new EventEmitter()
  const changes: { state: SharedLimitsState; reason: string | null }[] = []
  const heard = on(states, 'state')
  onTestFinished(() => limits.close())
  const redis = { url, prefix: 'test:', ...(isHurried ? {} : { patience }) }
  limits.connect(redis, (state, reason) => {
    changes.push({ state, reason })
    states.emit('state', state)
  })
  /** Resolves when it has said so, after what was waited for before. */
  const reach = async (wanted: SharedLimitsState) => {
    // Not a loop over them all: it would end the messages with the first that is found.
    let said: SharedLimitsState | undefined
    do said = ((await heard.next()).value as [SharedLimitsState])[0]
    while (said !== wanted)
  }
  /** How many of so many requests at once are let through. */
  const letThrough = async (requests: number) => {
    const answers = await Promise.all(Array.from({ length: requests }, () => ask()))
    const others = answers.filter(({ status }) => status !== 200 && status !== 429)
    if (others.length > 0) throw new Error(`An answer was ${others[0]?.status}.`)
    return answers.filter(({ status }) => status === 200).length
  }
  return { ask, upstream, limits, changes, reach, letThrough }
}

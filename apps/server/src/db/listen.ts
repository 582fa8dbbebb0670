import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  cut,
  openConnection,
  type ConnectionTarget,
  type PostgresConnection,
} from './open-connection.ts'
import { readPostgresAddress } from './postgres-hosts.ts'

/** Tries are so short and frequent that the connection is there soon after the network is. */
const connectMs = 1_500
const reconnectMs = 250
const heartbeatMs = 1_000
/** Heartbeats without an answer; counted, so that the pause of a process that was stopped is not one. */
const silentBeats = 4

interface Listener {
  /** A notification, and each new connection: notifications may have been missed before it. */
  onNotification: (payload?: string) => void
  /** The database has answered; each second while it is there. */
  onHeard?: () => void
  /** The first connection after one was lost. It comes before `onNotification`. */
  onReturn?: () => void
}

/**
 * Listens to a channel of PostgreSQL, over a connection of its own that is asked each second. A connection
 * that is silent for five seconds is replaced, as is one that breaks, until the listening is stopped.
 */
export function listenTo(
  databaseUrl: string,
  channel: string,
  listener: Listener,
): { stop(): Promise<void> } {
  const target = readPostgresAddress(databaseUrl)
  if (!target) throw new Error('The address of the database can’t be read.')
  const stopping = new AbortController()
  const { signal } = stopping
  const listening = keepListening(
    target,
    `listen ${pg.escapeIdentifier(channel)}`,
    listener,
    signal,
  )
  return {
    stop: () => {
      stopping.abort()
      return listening
    },
  }
}

async function keepListening(
  target: ConnectionTarget,
  listen: string,
  { onNotification, onHeard, onReturn }: Listener,
  signal: AbortSignal,
): Promise<void> {
  let hasLost = false
  while (!signal.aborted) {
    try {
      const own = await openConnection(target, { signal, timeoutMs: connectMs })
      const lost = untilLost(own, signal, onHeard)
      own.on('notification', ({ payload }) => onNotification(payload))
      await own.query(listen)
      if (hasLost) onReturn?.()
      onHeard?.()
      onNotification()
      await lost
    } catch {
      // It is tried again.
    }
    hasLost = true
    await sleep(reconnectMs, undefined, { signal }).catch(() => {})
  }
}

/** Asks for a sign of life each second, and cuts the connection where none comes. */
function untilLost(
  own: PostgresConnection,
  signal: AbortSignal,
  onHeard: (() => void) | undefined,
): Promise<void> {
  let unanswered = 0
  const beat = () => {
    if (unanswered >= silentBeats) return cut(own)
    if (unanswered++ > 0) return
    own.query('select 1').then(
      () => {
        unanswered = 0
        onHeard?.()
      },
      () => cut(own),
    )
  }
  const timer = setInterval(beat, heartbeatMs).unref()
  const stop = () => cut(own)
  signal.addEventListener('abort', stop)
  return new Promise((resolve) => {
    own.once('end', () => {
      clearInterval(timer)
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}

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
const connectMs = 1_250
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
 * that is silent for five seconds, or while another one answers, is replaced, as is one that breaks, until the
 * listening is stopped.
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
  const listen = `listen ${pg.escapeIdentifier(channel)}`
  const listening = keepListening({ target, listen, listener, signal })
  return {
    stop: () => {
      stopping.abort()
      return listening
    },
  }
}

interface Listening {
  target: ConnectionTarget
  listen: string
  listener: Listener
  signal: AbortSignal
}

async function keepListening(listening: Listening): Promise<void> {
  const { target, signal } = listening
  let next: PostgresConnection | undefined
  for (let hasLost = false; !signal.aborted; hasLost = true) {
    const own = next ?? (await openConnection(target, { signal, timeoutMs: connectMs }).catch(gone))
    next = own && (await listenOn(own, listening, hasLost))
    if (!next) await sleep(reconnectMs, undefined, { signal }).catch(gone)
  }
  if (next) cut(next)
}

/** It is tried again. */
const gone = (): undefined => undefined

/** Until the connection is lost; one that is there already takes its place. */
async function listenOn(
  own: PostgresConnection,
  { target, listen, listener, signal }: Listening,
  hasLost: boolean,
): Promise<PostgresConnection | undefined> {
  const { onNotification, onHeard, onReturn } = listener
  const lost = untilLost(own, { target, signal, onHeard })
  try {
    own.on('notification', ({ payload }) => onNotification(payload))
    await own.query(listen)
    if (hasLost) onReturn?.()
    onHeard?.()
    onNotification()
  } catch {
    cut(own)
  }
  return lost
}

interface Beating {
  target: ConnectionTarget
  signal: AbortSignal
  onHeard: (() => void) | undefined
}

/**
 * Asks for a sign of life each second. Where none comes, another connection is tried at once, which takes the place
 * of this one if it is there first: a network that was away for a moment may have forgotten this one. Without any
 * answer it is cut.
 */
function untilLost(own: PostgresConnection, { target, signal, onHeard }: Beating) {
  let unanswered = 0
  let other: PostgresConnection | undefined
  let isTrying = false
  const isSilent = () => unanswered > 0 && !own.connection.stream.destroyed && !signal.aborted
  const replace = async () => {
    for (isTrying = true; isSilent() && !other;) {
      const found = await openConnection(target, { signal, timeoutMs: connectMs }).catch(gone)
      if (found && isSilent()) other = found
      else if (found) cut(found)
      else await sleep(reconnectMs, undefined, { signal }).catch(gone)
    }
    isTrying = false
    if (other) cut(own)
  }
  const beat = () => {
    if (unanswered >= silentBeats) return cut(own)
    if (unanswered++ > 0) return isTrying ? undefined : void replace()
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
  return new Promise<PostgresConnection | undefined>((resolve) => {
    own.once('end', () => {
      clearInterval(timer)
      signal.removeEventListener('abort', stop)
      resolve(other)
    })
  })
}

import { createHash } from 'node:crypto'
import {
  readTaken,
  scriptArguments,
  sharedLimitScript,
  type SharedTake,
  type SharedTaken,
} from './shared-limit-script.ts'

/** One connection to Redis; a new one is opened when it is lost. */
export interface RedisLink {
  /** One round trip; those of one turn of the event loop go out together. Rejects once the connection is lost. */
  take(take: SharedTake): Promise<SharedTaken>
  /** Ends it at once. */
  close(): void
}

const scriptHash = createHash('sha1').update(sharedLimitScript).digest('hex')

/**
 * Opens a connection, signs in, and loads the script. Rejects where that takes longer;
 * the message holds no secret. `onLost` is called once, unless it is closed by us.
 */
export async function openRedisLink(
  { url, prefix }: { url: string; prefix: string },
  connectMaxMs: number,
  onLost: (reason: string) => void,
): Promise<RedisLink> {
  // Loaded only where Redis is used: it takes 30 MB.
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    keyPrefix: prefix,
    disableOfflineQueue: true,
    disableClientInfo: true,
    // Who reconnects has to know that counts are no longer shared.
    socket: { reconnectStrategy: false, connectTimeout: connectMaxMs },
  })
  let isOpen = false
  let isLate = false
  client.on('error', (error: Error) => {
    if (isOpen) onLost(reasonOf(error))
    isOpen = false
  })
  const close = () => {
    isOpen = false
    if (client.isOpen) client.destroy()
  }
  const late = setTimeout(() => {
    isLate = true
    close()
  }, connectMaxMs)
  try {
    await client.connect()
    await client.scriptLoad(sharedLimitScript)
  } catch (error) {
    close()
    const reason = isLate
      ? `It did not answer within ${connectMaxMs / 1_000} s.`
      : reasonOf(error as Error)
    throw new Error(reason, { cause: error })
  } finally {
    clearTimeout(late)
  }
  isOpen = true
  const take = async (take: SharedTake): Promise<SharedTaken> => {
    const options = { keys: [take.key], arguments: scriptArguments(take) }
    try {
      return readTaken(await client.evalSha(scriptHash, options))
    } catch (error) {
      // It was restarted or its scripts were flushed.
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      return readTaken(await client.eval(sharedLimitScript, options))
    }
  }
  return { take, close }
}

/** What Node says of several addresses at once has no text. */
export const reasonOf = (error: Error & { code?: string; errors?: Error[] }): string =>
  error.message || error.errors?.[0]?.message || error.code || error.name

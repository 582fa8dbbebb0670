import pg from 'pg'

const reconnectMs = 1_000

/**
 * Calls back for each notification on a channel of PostgreSQL, over a dedicated connection, and after
 * each connect, because notifications may have been missed before it. Reconnects until it is stopped.
 */
export function listenTo(
  databaseUrl: string,
  channel: string,
  onNotification: () => void,
): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const connect = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    })
    client = own
    own.on('notification', onNotification)
    // The event `end` follows each error.
    own.on('error', () => {})
    own.once('end', again)
    try {
      await own.connect()
      await own.query(`listen ${pg.escapeIdentifier(channel)}`)
      onNotification()
    } catch {
      await own.end().catch(() => {})
      again()
    }
  }
  const again = (): void => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), reconnectMs)
  }

  void connect()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

import type { WebSocketTunnel } from '@gatehouse/http1'

/** A request to become a WebSocket, and the one that it has become. */
export class WebSocketRequest {
  /** `Sec-WebSocket-Key`. */
  readonly key: string
  /** It counts among those that are open, or about to be. */
  hasPlace = false
  /** Null until both sides have switched. */
  tunnel: WebSocketTunnel | null = null

  /** What of its bytes has been counted. */
  countedIn = 0
  countedOut = 0

  constructor(key: string) {
    this.key = key
  }
}

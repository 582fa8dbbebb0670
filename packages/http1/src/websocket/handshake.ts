import { hash } from 'node:crypto'

/** RFC 6455 §1.3. */
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** 16 bytes in Base64, in its one spelling. */
const validKey = /^[A-Za-z0-9+/]{21}[AQgw]==$/

/** The one version there is (RFC 6455 §4.1). */
export const webSocketVersion = '13'

/** Whether a `Sec-WebSocket-Key` is one (RFC 6455 §4.1). */
export const isWebSocketKey = (key: string): boolean => validKey.test(key)

/** What `Sec-WebSocket-Accept` has to be in answer to a key. */
export const webSocketAccept = (key: string): string => hash('sha1', key + guid, 'base64')

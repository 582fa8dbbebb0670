import type { DeliveryChannel } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'

/** What became of a try. */
export type Tried =
  | { what: 'delivered'; status: number | null }
  | {
      what: 'failed'
      status: number | null
      /** For operators; holds no secret. */
      error: string
      /** The receiver asks to wait until then. */
      notBefore?: string | null
      /** The receiver will never take it. */
      isFinal?: boolean
    }
  /** It was cut off because the server stops. It does not count as a try. */
  | { what: 'aborted' }

/**
 * Sends a delivery once. Ends within 45 s, when the signal is aborted at the latest. What it throws is
 * logged and counts as a try that failed.
 */
export type SendDelivery = (
  delivery: Row<'delivery'>,
  how: { at: Date; signal: AbortSignal },
) => Promise<Tried>

/** How each channel is sent. A delivery of a channel that is missing waits until it is given up. */
export type Senders = Readonly<Partial<Record<DeliveryChannel, SendDelivery>>>
